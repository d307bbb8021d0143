import type { Approval } from '../../../src/protocol/entry.ts'
import { targetOf } from '../../../src/protocol/target.ts'
import { agentName } from './agent.ts'

/** What a call that wants to be allowed is about, in one sentence. */
export function wishOf(by: string, { tool_name, input, title = targetOf(input) }: Approval): string {
  return `${agentName(by)} wants to use ${tool_name}: ${title}`
}
