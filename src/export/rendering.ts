import { Worker } from 'node:worker_threads'
import type { Entry } from '../protocol/entries/entry.ts'
import type { ExportFormat } from '../protocol/frames/export.ts'
import type { Piece } from './pieces.ts'
import type { ExportOrder, Order, Written } from './thread.ts'
import type { About } from './writer.ts'

type Waiting = PromiseWithResolvers<Piece | undefined>

/** Several times what the longest entry takes; whatever needs more ends itself and not the hub. */
const resourceLimits = { maxOldGenerationSizeMb: 256 }

/** Writes exports on a thread of its own, which is there as long as one is open: no text keeps whoever asks for it. */
export function createRendering() {
  let worker: Worker | undefined
  let exports = 0
  const waiting = new Map<number, Waiting>()
  const open = new Set<number>()
  return { begin }

  /** An export, as far as it is written. Whoever begins one closes it. */
  function begin(format: ExportFormat) {
    const of = ++exports
    open.add(of)
    worker ??= start()
    const mine = worker
    return {
      begin: (about: About) => pieces({ begin: about, format }),
      entries: (entries: Entry[], present: string[]) => pieces({ entries, present }),
      end: () => pieces({ end: true }),
      close,
    }

    async function* pieces(wanted: ExportOrder): AsyncGenerator<Piece> {
      for (let piece = await ordered(wanted); piece !== undefined; piece = await ordered({ more: true })) yield piece
    }

    function ordered(wanted: ExportOrder): Promise<Piece | undefined> {
      const answer = Promise.withResolvers<Piece | undefined>()
      waiting.set(of, answer)
      if (worker === mine) tell({ of, ...wanted })
      else answer.reject(new Error('The thread that wrote this export has ended'))
      return answer.promise
    }

    async function close() {
      open.delete(of)
      waiting.delete(of)
      if (open.size > 0) return tell({ of, close: true })
      const ended = worker
      worker = undefined
      await ended?.terminate()
    }
  }

  function tell(order: Order) {
    worker?.postMessage(order)
  }

  function start(): Worker {
    const file = import.meta.url.endsWith('.ts') ? './thread.ts' : './export-thread.js'
    const started = new Worker(new URL(file, import.meta.url), { name: 'parley-export', resourceLimits })
    started.on('message', ({ of, piece }: Written) => waiting.get(of)?.resolve(piece))
    started.on('error', (error) => {
      // The next export gets another one.
      if (worker === started) worker = undefined
      for (const { reject } of waiting.values()) reject(error)
    })
    return started
  }
}
