import type { Caller } from '../protocol/gateway.ts'
import { ONLY_READS, READ } from '../protocol/mounted-requests.ts'
import type { Gateway } from './gateway.ts'

export type List = 'tools' | 'prompts' | 'resources'

/** Hears who was shown which list. */
export type TellListed = (caller: Caller, list: List) => void

/** What one client was shown, so that it is told when that is other than before, and only then. */
export function createListed({ catalog, reachOf, all }: Pick<Gateway, 'catalog' | 'reachOf' | 'all'>) {
  const shown = new Map<List, { caller: Caller; names: string }>()
  let last: Caller | undefined
  return { listed, changed, sees }

  function listed(caller: Caller, list: List) {
    last = caller
    shown.set(list, { caller, names: namesIn(list, caller) })
  }

  /** The lists that it knows and that are others now. What rules say of single resources only their servers' lists tell. */
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

  /** Whether it sees this, as far as it is known who it is. */
  function sees(server: string | undefined, tool: string): boolean {
    return server === undefined || last === undefined || reachOf(last).sees(server, tool)
  }
}
