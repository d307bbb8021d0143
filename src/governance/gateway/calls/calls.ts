import { INVALID_REQUEST, ProtocolError } from '@modelcontextprotocol/server'
import { createEmitter } from '../../../io/emitter.ts'
import type { Asking, Raw } from '../upstream/upstream.ts'

/** A call of a client that is with a server now. */
export interface MountCall extends Asking {
  /** The client it belongs to. */
  client: object
  /** Gives the client what the server asks for. */
  ask?(method: string, params: Raw): Promise<Raw>
  log?(params: Raw): void
}

/** The most questions that one call may have open at the same time; a person answers one after the other. */
const MOST_ASKED = 32

/**
 * The calls that are with one server now. Servers of the 2025 era do not say for which call they ask or log something:
 * where calls of several clients are there, it must not reach the wrong one.
 */
export function createCalls({ unclearMs }: { unclearMs: number }) {
  const open = new Set<MountCall>()
  const ended = createEmitter()
  /** How much of what is asked for each has no answer yet. */
  const asked = new WeakMap<MountCall, number>()
  let unclear = 0
  return { begin, count: () => open.size, ask, log }

  function begin(call: MountCall): () => void {
    open.add(call)
    return () => {
      open.delete(call)
      ended.emit()
    }
  }

  /** A question that waits for an answer is kept until then, or until its call is over. */
  async function ask(method: string, params: Raw): Promise<Raw> {
    if (unclear >= MOST_ASKED) throw tooMuch()
    unclear++
    const call = await theAsking().finally(() => unclear--)
    if (!call?.ask) throw new ProtocolError(INVALID_REQUEST, 'It cannot be told which client this is for')
    if ((asked.get(call) ?? 0) >= MOST_ASKED) throw tooMuch()
    asked.set(call, (asked.get(call) ?? 0) + 1)
    try {
      return await call.ask(method, params)
    } finally {
      asked.set(call, (asked.get(call) ?? 1) - 1)
    }
  }

  /** A call that ends meanwhile, or comes later, is not the one that asks: who is left is. */
  function theAsking(): Promise<MountCall | undefined> {
    const asking = [...open]
    const { promise, resolve } = Promise.withResolvers<MountCall | undefined>()
    const patience = setTimeout(settle, unclearMs, undefined).unref()
    const listening = ended.on(look)
    look()
    return promise

    function look() {
      const left = asking.filter((call) => open.has(call))
      if (left.every(({ client }) => client === left[0]?.client)) settle(left[0])
    }

    function settle(call: MountCall | undefined) {
      clearTimeout(patience)
      listening.close()
      resolve(call)
    }
  }

  /** Whether there is somebody whom it concerns. */
  function log(params: Raw): boolean {
    const [first, ...others] = open
    if (others.every(({ client }) => client === first?.client)) first?.log?.(params)
    return open.size > 0
  }
}

function tooMuch() {
  return new ProtocolError(INVALID_REQUEST, 'Too much is asked for that has no answer yet')
}
