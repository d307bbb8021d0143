import { commandOffer } from '../protocol/command-start.ts'
import type { ToolCallSubject } from '../protocol/gateway.ts'
import { isLocal } from '../protocol/local.ts'
import { literally } from './glob.ts'

/** A rule that allows from now on what a person was shown, as it stands in the file. */
export interface AlwaysRule extends Whose {
  server: string
  tool: string
  arguments?: Record<string, unknown>
  decision: 'allow'
}

/** Whom a rule is for. Without a token nobody is known by more than its client and its folder. */
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
    arguments: commandRule(input),
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

/** Of a call that runs a command it is never any command. */
function commandRule(input: Record<string, unknown>): Record<string, unknown> | undefined {
  const offer = commandOffer(input)
  if (!offer) return undefined
  const { place } = offer
  if ('begins' in offer) return { [place]: { command: offer.begins } }
  if (typeof offer.same === 'string') return { [place]: literally(offer.same) }
  const words = offer.same as string[]
  const each = words.map((word, n) => [`${place}.${n}`, word === '' ? { not: '?*' } : literally(word)])
  return Object.fromEntries([...each, [`${place}.${words.length}`, { exists: false }]])
}
