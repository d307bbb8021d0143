import type { Caller, MountState } from '../protocol/gateway.ts'
import { ONLY_READS, READ } from '../protocol/mounted-requests.ts'
import type { Gateway } from './gateway.ts'

/** The mounts that an agent has something of in reach, with their tools that it has. */
export function inReachOf(caller: Caller, { states, reachOf }: Pick<Gateway, 'states' | 'reachOf'>): MountState[] {
  const { lists } = reachOf(caller)
  return states().flatMap((state) => {
    const fingerprints = state.fingerprints.filter(({ name: tool, annotations }) =>
      lists({ server: state.name, tool, annotations }),
    )
    const hasSome = fingerprints.length > 0 || lists({ server: state.name, tool: READ, annotations: ONLY_READS })
    return hasSome ? [{ ...state, fingerprints, tools: fingerprints.length }] : []
  })
}
