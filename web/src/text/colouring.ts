import type { Code, Coloured } from './colour-worker.ts'
import script from './colour-worker.ts?worker&url'

/** Code can be written that takes what colours it hours. */
const LONGEST_MS = 200
/** The machine may have been busy. */
const ATTEMPTS = 2

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
    worker ??= new Worker((policy?.createScriptURL('') ?? script) as string, { type: 'module' })
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

/** Not every browser has them, and TypeScript does not know them. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(): string }): { createScriptURL(text: string): unknown }
}

const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
/** The policy of the page lets no other script become a worker of this kind. */
const policy = trustedTypes?.createPolicy('parley-colours', { createScriptURL: () => script })
