import type { Server } from '@modelcontextprotocol/server'
import * as z from 'zod/mini'
import { type Surface, tool } from '../../../src/doors/mcp/surface.ts'
import { ParleyError } from '../../../src/protocol/errors.ts'

export interface Told {
  delivery: string
  what: 'taken' | 'answered' | 'arrived' | 'returned' | 'missed'
}

const Take = z.object({
  delivery: z.string(),
  /** How the call ends when it is released; without `hears` a cancel does not end it. */
  ends: z._default(z.enum(['answer', 'refuse', 'fail']), 'answer'),
  hears: z._default(z.boolean(), true),
  bytes: z._default(z.number(), 10),
})
const Release = z.object({ delivery: z.string() })

/** A surface whose calls take a delivery along, wait, and tell what became of it. */
export function deliverySurface(
  tell: (told: Told) => void,
  leaving: (delivery: string, server: Server) => void = () => {},
) {
  const waiting = new Map<string, () => void>()
  let server: Server
  const surface: Surface = { name: 'deliveries', instructions: '', tools: [take(), letGo()], serve }
  return { surface, release }

  function serve(built: Server) {
    server = built
  }

  function take() {
    return tool({
      name: 'take',
      title: 'Take a delivery along',
      description: 'Takes a delivery along and waits.',
      needs: 'ask',
      input: Take,
      async call({ delivery, ends, hears, bytes }, { carry, signal }) {
        const its = server
        carry({
          arrived: () => tell({ delivery, what: 'arrived' }),
          returned: () => tell({ delivery, what: 'returned' }),
          missed: () => tell({ delivery, what: 'missed' }),
        })
        await new Promise<void>((resolve, reject) => {
          waiting.set(delivery, resolve)
          if (hears) signal.addEventListener('abort', () => reject(new Error('It was cancelled')))
          tell({ delivery, what: 'taken' })
        })
        if (ends === 'refuse') throw new ParleyError('no_reply', { outcome: 'withdrawn' })
        if (ends === 'fail') throw new Error('It failed')
        tell({ delivery, what: 'answered' })
        leaving(delivery, its)
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
      async call({ delivery }) {
        release(delivery)
        return {}
      },
    })
  }

  function release(delivery: string) {
    waiting.get(delivery)?.()
    waiting.delete(delivery)
  }
}

/** What was told of each delivery, in order. */
export function createRecord() {
  const told: Told[] = []
  let wake = () => {}
  return { tell, all, of, until }

  function tell(one: Told) {
    told.push(one)
    wake()
  }

  function all(delivery: string): Told['what'][] {
    return told.filter((one) => one.delivery === delivery).map(({ what }) => what)
  }

  /** What became of it, and not what its call did. */
  function of(delivery: string): Told['what'][] {
    return all(delivery).filter((what) => what === 'arrived' || what === 'returned' || what === 'missed')
  }

  async function until(delivery: string, ...whats: Told['what'][]) {
    while (!all(delivery).some((what) => whats.includes(what)))
      await new Promise<void>((resolve) => {
        wake = resolve
      })
  }
}
