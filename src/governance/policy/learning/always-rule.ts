import { ParleyError } from '../../../protocol/errors.ts'
import { isLocal } from '../../../protocol/local.ts'
import { alwaysCommand } from '../../../protocol/tools/always-command.ts'
import type { ToolCallSubject } from '../../../protocol/tools/gateway.ts'
import { stepOf } from '../arguments.ts'
import { literally } from '../matching/glob.ts'

/** A rule that allows from now on what a person was shown, as it stands in the file. */
export interface AlwaysRule extends Whose {
  server: string
  tool: string
  arguments?: Record<string, unknown>
  command?: false
  decision: 'allow'
}

/** The agents that a rule is for. Without a token nobody is known by more than its client and its folder. */
export interface Whose {
  principal?: string
  agent?: string
  folder?: string
}

export function alwaysRule(subject: ToolCallSubject, scope: 'agent' | 'everyone'): AlwaysRule {
  const { server, tool, arguments: input } = subject
  return {
    server: literally(server),
    tool: literally(tool),
    ...commandRule(input),
    ...(scope === 'agent' ? whoseRule(subject) : {}),
    decision: 'allow',
  }
}

/** The agent as cards show it. An older Parley kept only its principal. */
export function whoseRule({ principal, agent, folder }: Partial<ToolCallSubject>): Whose {
  const isNamed = agent === undefined || !isLocal(principal ?? '')
  return {
    ...(isNamed && principal !== undefined && { principal: literally(principal) }),
    ...(agent !== undefined && { agent: literally(agent), folder: literally(folder ?? '') }),
  }
}

/**
 * A rule for a call that runs a command is never for all commands, nor for the same one with anything else beside it;
 * one for a call that runs none is for no command.
 */
function commandRule(input: Record<string, unknown>): Pick<AlwaysRule, 'arguments' | 'command'> {
  const command = alwaysCommand(input)
  if (!command) return { command: false }
  const { place, begins, same, beside = {} } = command
  const what = begins === undefined ? exactly(place, same) : { [place]: { command: begins } }
  return {
    arguments: Object.assign(what, ...Object.entries(beside).map(([name, value]) => exactly(stepOf(name), value))),
  }
}

/** What an argument has to be, in all that is in it. */
function exactly(place: string, value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return { [place]: patternOf(value) }
  const isList = Array.isArray(value)
  const members = Object.entries(value)
  const isSayable = members.length > 0 && (isList || members.every(([, one]) => typeof one !== 'object'))
  if (!isSayable) throw new ParleyError('always_unsaid', { problem: `no rule can be for this "${place}"` })
  const each = members.map(([name, one]) => exactly(`${place}.${stepOf(name)}`, one))
  // Nothing besides, which a list and an object have to say in ways of their own.
  const only = isList
    ? { [`${place}.${value.length}`]: { exists: false } }
    : { [`${place}.*`]: members.map(([, one]) => patternOf(one)) }
  return Object.assign({}, ...each, only)
}

function patternOf(value: unknown): unknown {
  if (typeof value !== 'string') return value
  return value === '' ? { not: '?*' } : literally(value)
}
