import type { Caller, MountState } from '../../protocol/tools/gateway.ts'
import { ONLY_READS, READ } from '../../protocol/tools/mounted-requests.ts'
import type { Catalog } from './catalog.ts'
import type { Reach } from './reach.ts'

interface Parts {
  catalog: Pick<Catalog, 'toolsOf' | 'promptsOf'>
  reachOf(caller: Caller): Reach
}

/** Whether an agent has anything of a server in reach, as far as it is known what that has. */
export function hasSomeOf(server: string, caller: Caller, { catalog, reachOf }: Parts): boolean {
  const { lists } = reachOf(caller)
  return (
    lists({ server, tool: READ, annotations: ONLY_READS }) ||
    catalog.toolsOf(server).some(({ name: tool, annotations }) => lists({ server, tool, annotations })) ||
    catalog.promptsOf(server).some((tool) => lists({ server, tool, annotations: ONLY_READS }))
  )
}

/** The mounts that an agent has something of in reach, with their tools that it has. */
export function inReachOf(caller: Caller, { states, ...parts }: Parts & { states(): MountState[] }): MountState[] {
  const { lists } = parts.reachOf(caller)
  return states()
    .filter(({ name }) => hasSomeOf(name, caller, parts))
    .map((state) => {
      const { name: server, fingerprints: all } = state
      const fingerprints = all.filter(({ name: tool, annotations }) => lists({ server, tool, annotations }))
      return { ...state, fingerprints, tools: fingerprints.length }
    })
}
