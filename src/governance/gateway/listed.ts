import type { Caller } from '../../protocol/tools/gateway.ts'
import { FOLLOWING, ONLY_READS, READ } from '../../protocol/tools/mounted-requests.ts'
import type { Gateway } from './gateway.ts'
import { hasSomeOf } from './in-reach.ts'
import { ownUri } from './names.ts'

export type List = 'tools' | 'prompts' | 'resources'

/** Hears who was shown which list. */
export type TellListed = (caller: Caller, list: List) => void

/** What one client was shown, so that it is told when that is other than before, and only then. */
export function createListed({ catalog, reachOf, all }: Pick<Gateway, 'catalog' | 'reachOf' | 'all'>) {
  const shown = new Map<List, { caller: Caller; names: string }>()
  let last: Caller | undefined
  return { met, listed, changed, hears, isTold }

  /** The client says who it is with each request. */
  function met(caller: Caller) {
    last = caller
  }

  function listed(caller: Caller, list: List) {
    met(caller)
    shown.set(list, { caller, names: namesIn(list, caller) })
  }

  /**
   * The lists that it knows and that are others now. What rules say of single resources only their servers' lists tell.
   */
  function changed(why: 'views' | 'policy'): List[] {
    return [...shown].flatMap(([list, { caller, names }]) => {
      const now = namesIn(list, caller)
      shown.set(list, { caller, names: now })
      return now !== names || (list === 'resources' && why === 'policy') ? [list] : []
    })
  }

  function namesIn(list: List, caller: Caller): string {
    const { lists } = reachOf(caller)
    if (list !== 'resources')
      return catalog[list](lists)
        .map(({ name }) => name)
        .join()
    return all()
      .flatMap(({ name: server }) => (lists({ server, tool: READ, annotations: ONLY_READS }) ? [server] : []))
      .join()
  }

  /** What a server says that concerns no call. */
  function hears(server: string): boolean {
    return last === undefined || hasSomeOf(server, last, { catalog, reachOf })
  }

  /** Whether it is told that a resource has changed. The rules may be others since it was followed. */
  function isTold(shownUri: string): boolean {
    const { server, uri } = ownUri(shownUri) ?? {}
    if (server === undefined || last === undefined) return true
    const bases = catalog.toolAt(server, READ)?.mount.bases()
    const offered = { server, tool: READ, annotations: ONLY_READS, bases }
    return reachOf(last).lists({ ...offered, arguments: { uri, ...FOLLOWING } })
  }
}
