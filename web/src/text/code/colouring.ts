import type { Code, Coloured } from './colour-worker.ts'
import script from './colour-worker.ts?worker&url'
import { ownScript } from './own-script.ts'

/** Code can be written that takes what colours it hours. */
const LONGEST_MS = 200
/** The machine may have been busy. */
const ATTEMPTS = 2
const address = ownScript('parley-colours', script)

/** Colours code beside the page, one after the other, and stops what takes too long. */
export function createColouring() {
  let worker: Worker | undefined
  let last: Promise<unknown> = Promise.resolve()
  const stopped = new Set<string>()
  return { html }

  /** Undefined when it took too long, or what colours it did not come. */
  function html(code: Code): Promise<string | undefined> {
    const turn = last.then(() => attempts(code))
    last = turn
    return turn
  }

  async function attempts(code: Code): Promise<string | undefined> {
    for (let n = 0; n < ATTEMPTS && !stopped.has(code.text); n++) {
      const outcome = await attempt(code)
      if (outcome !== 'stopped') return outcome.html
    }
    stopped.add(code.text)
  }

  function attempt(code: Code): Promise<{ html: string | undefined } | 'stopped'> {
    worker ??= new Worker(address, { type: 'module' })
    const { promise, resolve } = Promise.withResolvers<{ html: string | undefined } | 'stopped'>()
    let clock: ReturnType<typeof setTimeout>
    worker.onmessage = ({ data }: MessageEvent<Coloured>) => {
      if (data === 'begun') clock = setTimeout(() => end('stopped'), LONGEST_MS)
      else settle(data)
    }
    worker.onerror = () => end({ html: undefined })
    worker.postMessage(code)
    return promise

    function end(outcome: { html: undefined } | 'stopped') {
      worker?.terminate()
      worker = undefined
      settle(outcome)
    }

    function settle(outcome: { html: string | undefined } | 'stopped') {
      clearTimeout(clock)
      resolve(outcome)
    }
  }
}
