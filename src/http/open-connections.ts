import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { setImmediate as others } from 'node:timers/promises'
import { ParleyError } from '../protocol/errors.ts'
import type { Principal } from '../protocol/principal.ts'
import type { Access, Credentials } from './access.ts'
import type { TokenEdition } from './token-edition.ts'

export interface ConnectionsParts {
  access: Pick<Access, 'principalIn' | 'edition'>
  /** How many may be open at once. */
  most: number
  report(error: unknown): void
}

/** A WebSocket, or a request and its answer. */
export interface Connection {
  credentials: Credentials
  principal: Principal
  stream: Duplex | ServerResponse
}

const SWEEP_MS = 1000
// Ending one costs what its door does then: for so many together about 5 ms.
const AT_ONCE = 25

/** What is open for longer than a look-up: it ends soon after its principal may not call any more, or is another. */
export function trackConnections({ access, most, report }: ConnectionsParts) {
  /** Each with the edition of the tokens that it was last found right in; none at first, as that may have changed since. */
  const connections = new Map<Connection, TokenEdition | undefined>()
  const sweeping = setInterval(sweep, SWEEP_MS).unref()
  return { add, count: () => connections.size, sweep, close: () => clearInterval(sweeping) }

  /** Throws when there is no room for it. */
  function add(connection: Connection) {
    if (connections.size >= most) throw new ParleyError('too_many_connections', { most })
    connections.set(connection, undefined)
    connection.stream.once('close', () => connections.delete(connection))
  }

  /** Looks again at those who may be somebody else by now, in pieces, so that nobody waits for a crowd. */
  function sweep(): Promise<void> {
    return endStrangers().catch(endAll)
  }

  async function endStrangers() {
    if (connections.size === 0) return
    const edition = access.edition()
    const doubtful: Connection[] = []
    for (const [connection, found] of connections) if (found !== edition) doubtful.push(connection)
    await inPieces(doubtful, (connection) => {
      if (!isStill(connection, edition)) connection.stream.destroy()
      else if (connections.has(connection)) connections.set(connection, edition)
    })
  }

  function isStill({ credentials, principal }: Connection, edition: TokenEdition): boolean {
    try {
      const { name, role, conversation } = access.principalIn(edition, credentials, principal.role)
      return name === principal.name && role === principal.role && conversation === principal.conversation
    } catch (error) {
      if (!(error instanceof ParleyError)) throw error
      return false
    }
  }

  /** A hub that cannot tell who is there must not go on as if it could. */
  async function endAll(error: unknown) {
    report(error)
    await inPieces([...connections.keys()], ({ stream }) => stream.destroy())
  }
}

async function inPieces<Item>(items: Item[], act: (item: Item) => void) {
  for (const [place, item] of items.entries()) {
    if (place > 0 && place % AT_ONCE === 0) await others()
    act(item)
  }
}
