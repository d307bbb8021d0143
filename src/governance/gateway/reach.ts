import type { Caller, Offered, OutOfReach } from '../../protocol/tools/gateway.ts'
import type { ReadViews, Sees, ToolViews } from '../../protocol/tools/views.ts'

/** Decides what agents have in reach. */
export interface Reaching {
  readViews: ReadViews
  /** What the policy denies whatever else is the case. */
  outOfReach: OutOfReach
  /** Calls back when that changes. */
  onChange(changed: () => void): { close(): void }
}

/** The tools that one agent has in reach. */
export interface Reach {
  /** Its view decides: what it does not see is not there. */
  sees: Sees
  /** The policy counts as well: a tool that it may never call is not listed to it. */
  lists(offered: Offered): boolean
}

/** Everybody has everything. */
export const NO_BOUNDS: Reaching = {
  readViews: () => ({ seenBy: () => () => true, isNamedTo: () => true }),
  outOfReach: () => () => false,
  onChange: () => ({ close() {} }),
}

/** What agents have in reach, by views that may be others from one moment to the next. */
export function createReach({ readViews, outOfReach }: Reaching) {
  let views: ToolViews = []
  let seen = readViews(views)
  return { of, isNamedTo: (caller: Caller, server: string) => seen.isNamedTo(caller, server), use, views: () => views }

  /** Throws where they mean nothing, and changes nothing then. */
  function use(next: ToolViews) {
    seen = readViews(next)
    views = next
  }

  function of(caller: Caller): Reach {
    const sees = seen.seenBy(caller)
    const isDenied = outOfReach(caller)
    return { sees, lists: (offered) => sees(offered.server, offered.tool) && !isDenied(offered) }
  }
}
