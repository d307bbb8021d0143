import type { Server } from '@modelcontextprotocol/server'
import * as z from 'zod/mini'
import { type Surface, tool } from '../../../src/doors/mcp/surface.ts'
import { ParleyError } from '../../../src/protocol/errors.ts'

export interface Told {
  parcel: string
  what: 'taken' | 'answered' | 'arrived' | 'returned' | 'missed'
}

const Take = z.object({
  parcel: z.string(),
  /** How the call ends when it is released; without `hears` a cancel does not end it. */
  ends: z._default(z.enum(['answer', 'refuse', 'fail']), 'answer'),
  hears: z._default(z.boolean(), true),
  bytes: z._default(z.number(), 10),
})
const Release = z.object({ parcel: z.string() })

/** A surface whose calls take a parcel along, wait, and tell what became of it. */
export function parcelSurface(
  tell: (told: Told) => void,
  leaving: (parcel: string, server: Server) => void = () => {},
) {
  const waiting = new Map<string, () => void>()
  let server: Server
  const surface: Surface = { name: 'parcels', instructions: '', tools: [take(), letGo()], serve }
  return { surface, release }

  function serve(built: Server) {
    server = built
  }

  function take() {
    return tool({
      name: 'take',
      title: 'Take a parcel along',
      description: 'Takes a parcel along and waits.',
      needs: 'ask',
      input: Take,
      async call({ parcel, ends, hears, bytes }, { carry, signal }) {
        const its = server
        carry({
          arrived: () => tell({ parcel, what: 'arrived' }),
          returned: () => tell({ parcel, what: 'returned' }),
          missed: () => tell({ parcel, what: 'missed' }),
        })
        await new Promise<void>((resolve, reject) => {
          waiting.set(parcel, resolve)
          if (hears) signal.addEventListener('abort', () => reject(new Error('It was cancelled')))
          tell({ parcel, what: 'taken' })
        })
        if (ends === 'refuse') throw new ParleyError('no_reply', { outcome: 'withdrawn' })
        if (ends === 'fail') throw new Error('It failed')
        tell({ parcel, what: 'answered' })
        leaving(parcel, its)
        return { text: 'x'.repeat(bytes) }
      },
    })
  }

  function letGo() {
    return tool({
      name: 'release',
      title: 'Release a call',
      description: 'Releases a call that waits.',
      needs: 'ask',
      input: Release,
      async call({ parcel }) {
        release(parcel)
        return {}
      },
    })
  }

  function release(parcel: string) {
    waiting.get(parcel)?.()
    waiting.delete(parcel)
  }
}

/** What was told of each parcel, in order. */
export function createRecord() {
  const told: Told[] = []
  let wake = () => {}
  return { tell, all, of, until }

  function tell(one: Told) {
    told.push(one)
    wake()
  }

  function all(parcel: string): Told['what'][] {
    return told.filter((one) => one.parcel === parcel).map(({ what }) => what)
  }

  /** What became of it, and not what its call did. */
  function of(parcel: string): Told['what'][] {
    return all(parcel).filter((what) => what === 'arrived' || what === 'returned' || what === 'missed')
  }

  async function until(parcel: string, ...whats: Told['what'][]) {
    while (!all(parcel).some((what) => whats.includes(what)))
      await new Promise<void>((resolve) => {
        wake = resolve
      })
  }
}
