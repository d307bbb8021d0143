import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { setImmediate as others } from 'node:timers/promises'
import { attempt } from '../../io/attempt.ts'
import { ParleyError } from '../../protocol/errors.ts'
import type { Principal } from '../../protocol/principal.ts'
import { ifRefused } from '../../protocol/refusal.ts'
import type { Access, Credentials } from './access/access.ts'
import type { TokenEdition } from './access/token-edition.ts'

interface ConnectionsParts {
  access: Pick<Access, 'principalIn' | 'edition'>
  /** How many may be open at once. */
  most: number
  report(error: unknown): void
}

/** A connection that is open because somebody showed these credentials. */
interface Watched {
  credentials: Credentials
  principal: Principal
  end(): void
}

/** A WebSocket, or a request and its answer. */
export interface Connection extends Omit<Watched, 'end'> {
  stream: Duplex | ServerResponse
}

const SWEEP_MS = 1000
// Ending one costs what its door does then: for so many together about 5 ms.
const AT_ONCE = 25

/** Connections that stay open: each ends soon after its principal may no longer call, or is another. */
export function trackConnections({ access, most, report }: ConnectionsParts) {
  /**
   * Each with the edition of the tokens that it was last found right in; none at first, as that may have changed since.
   */
  const watched = new Map<Watched, TokenEdition | undefined>()
  let connections = 0
  const sweeping = setInterval(sweep, SWEEP_MS).unref()
  return { add, watch, count: () => connections, sweep, close: () => clearInterval(sweeping) }

  /** Throws when there is no room for it. */
  function add({ stream, ...who }: Connection) {
    if (connections >= most) throw new ParleyError('too_many_connections', { most })
    connections++
    const leave = watch({ ...who, end: () => stream.destroy() })
    stream.once('close', () => {
      connections--
      leave()
    })
  }

  /** Watches what is no connection itself and may have none for a while. */
  function watch(one: Watched): () => void {
    watched.set(one, undefined)
    return () => void watched.delete(one)
  }

  /** Looks again at those who may be somebody else by now, in pieces, so that nobody waits for a crowd. */
  function sweep(): Promise<void> {
    return endStrangers().catch(endAll)
  }

  async function endStrangers() {
    if (watched.size === 0) return
    const edition = access.edition()
    const doubtful: Watched[] = []
    for (const [one, found] of watched) if (found !== edition) doubtful.push(one)
    await inPieces(doubtful, (one) => {
      if (!isStill(one, edition)) one.end()
      else if (watched.has(one)) watched.set(one, edition)
    })
  }

  function isStill({ credentials, principal }: Watched, edition: TokenEdition): boolean {
    const now = attempt(
      () => access.principalIn(edition, credentials, principal.role),
      ifRefused(() => undefined),
    )
    const { name, role, conversation } = principal
    return now?.name === name && now.role === role && now.conversation === conversation
  }

  /** A hub that cannot tell who is there must not go on as if it could. */
  async function endAll(error: unknown) {
    report(error)
    await inPieces([...watched.keys()], ({ end }) => end())
  }
}

async function inPieces<Item>(items: Item[], act: (item: Item) => void) {
  for (const [place, item] of items.entries()) {
    if (place > 0 && place % AT_ONCE === 0) await others()
    act(item)
  }
}
