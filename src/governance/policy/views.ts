import { agentNames } from '../../protocol/entries/agent-name.ts'
import { ParleyError } from '../../protocol/errors.ts'
import { isLocal } from '../../protocol/local.ts'
import type { Caller } from '../../protocol/tools/gateway.ts'
import type { ReadViews, Sees, ToolView } from '../../protocol/tools/views.ts'
import { compileGlob, problemInGlob } from './matching/glob.ts'

/** The tools that agents see: those of the first view that is for them, and everything where none is. */
export const readViews: ReadViews = (views) => {
  const compiled = views.map(compileView)
  return {
    seenBy: (caller) => compiled.find(({ isFor }) => isFor(caller))?.sees ?? EVERYTHING,
    isNamedTo: (caller, server) =>
      compiled.filter(({ mayBeFor }) => mayBeFor(caller)).every(({ hasSome }) => hasSome(server)),
  }
}

const EVERYTHING: Sees = () => true
/** The name for all servers that a view does not name. */
const OTHERS = '*'

function compileView(view: ToolView, n: number) {
  const agent = patternIn(view.agent, `views.${n}.agent`)
  const folder = patternIn(view.folder, `views.${n}.folder`)
  const token = patternIn(view.token, `views.${n}.token`)
  const servers = new Map(
    Object.entries(view.servers).map(([server, tools]) => [
      server,
      tools.map((tool) => patternIn(tool, `views.${n}.servers.${server}`)),
    ]),
  )
  const toolsOf = (server: string) => servers.get(server) ?? servers.get(OTHERS) ?? []
  return {
    mayBeFor,
    isFor: (caller: Caller) => agentNames(caller.agent ?? '').some(agent) && mayBeFor(caller),
    sees: (server: string, tool: string) => toolsOf(server).some((fits) => fits(tool)),
    hasSome: (server: string) => toolsOf(server).length > 0,
  }

  /** True as far as it is known before the client says who it is. */
  function mayBeFor({ principal, folder: where = '' }: Caller): boolean {
    const isToken = view.token === undefined || (!isLocal(principal) && token(principal))
    return isToken && folder(where)
  }
}

function patternIn(pattern: string | undefined, place: string): (text: string) => boolean {
  if (pattern === undefined) return () => true
  // An agent whose folder nobody knows has an empty one, as in rules.
  const problem = pattern === '' && place.endsWith('.folder') ? undefined : problemInGlob(pattern)
  if (problem) throw new ParleyError('invalid', { problem: `"${place}" ${problem}` })
  return compileGlob(pattern).fits
}
