import { INVALID_REQUEST, ProtocolError } from '@modelcontextprotocol/server'
import type { Asking, Raw } from './upstream.ts'

/** A call of a client that is with a server now. */
export interface MountCall extends Asking {
  /** Whose it is. */
  client: object
  /** Gives the client what the server asks for. */
  ask?(method: string, params: Raw): Promise<Raw>
  log?(params: Raw): void
}

/**
 * What is with one server now. Servers of the 2025 era do not say for which call they ask or log something: where calls
 * of several clients are there, it must not reach the wrong one.
 */
export function createCalls({ unclearMs }: { unclearMs: number }) {
  const open = new Set<MountCall>()
  const ended = new Set<() => void>()
  return { begin, count: () => open.size, ask, log }

  function begin(call: MountCall): () => void {
    open.add(call)
    return () => {
      open.delete(call)
      for (const look of [...ended]) look()
    }
  }

  async function ask(method: string, params: Raw): Promise<Raw> {
    const call = await theAsking()
    if (!call?.ask) throw new ProtocolError(INVALID_REQUEST, 'It cannot be told which client this is for')
    return call.ask(method, params)
  }

  /** A call that ends meanwhile, or comes later, is not the one that asks: who is left is. */
  function theAsking(): Promise<MountCall | undefined> {
    const asking = [...open]
    const { promise, resolve } = Promise.withResolvers<MountCall | undefined>()
    const patience = setTimeout(settle, unclearMs, undefined).unref()
    ended.add(look)
    look()
    return promise

    function look() {
      const left = asking.filter((call) => open.has(call))
      if (left.every(({ client }) => client === left[0]?.client)) settle(left[0])
    }

    function settle(call: MountCall | undefined) {
      clearTimeout(patience)
      ended.delete(look)
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
