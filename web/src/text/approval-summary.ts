import type { Approval } from '../../../src/protocol/entries/entry.ts'
import { targetOf } from '../../../src/protocol/tools/target.ts'
import { agentName } from './agent.ts'
import { ownName } from './tool-name.ts'
import { titleOf } from './tool-title.ts'

/** A call that wants to be allowed, in one sentence. */
export function approvalSummary(by: string, approval: Approval): string {
  const { server, input, title } = approval
  const of = server === undefined ? '' : ` of ${server}`
  return `${agentName(by)} wants to use ${ownName(approval)}${of}: ${title === undefined ? targetOf(input) : titleOf(title)}`
}
