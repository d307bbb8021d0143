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
export function createCalls() {
  const open = new Set<MountCall>()
  return { begin, count: () => open.size, ask, log }

  function begin(call: MountCall): () => void {
    open.add(call)
    return () => open.delete(call)
  }

  async function ask(method: string, params: Raw): Promise<Raw> {
    const call = theOnly()
    if (!call?.ask) throw new ProtocolError(INVALID_REQUEST, 'It cannot be told which client this is for')
    return call.ask(method, params)
  }

  /** Whether there is somebody whom it concerns. */
  function log(params: Raw): boolean {
    theOnly()?.log?.(params)
    return open.size > 0
  }

  function theOnly(): MountCall | undefined {
    const [first, ...others] = open
    return others.every(({ client }) => client === first?.client) ? first : undefined
  }
}
