import { agentNames } from '../../../protocol/entries/agent-name.ts'
import { MASK } from '../../../protocol/secrets/masking.ts'
import type { ToolCallSubject } from '../../../protocol/tools/gateway.ts'
import { callOf } from '../call.ts'
import { compileArgument } from '../condition.ts'
import { compileGlob } from '../matching/glob.ts'
import { textIn } from '../meanings.ts'
import type { Rule } from '../rule.ts'

/** The scope of a rule that allows the tool of a call. */
export type RuleScope = 'agent' | 'everyone'

/**
 * The place where a rule that allows such calls has to stand, and the rule behind that place that it would pass by and
 * must not.
 */
export function placeOfRule(rules: readonly Rule[], subject: ToolCallSubject, scope: RuleScope, decidedBy?: string) {
  const asking = rules.findIndex((rule) => rule.id === decidedBy || (!rule.off && mayAsk(rule, subject, scope)))
  const place = asking === -1 ? rules.length : asking
  return {
    place,
    denying: rules.slice(place).find((rule) => !rule.off && isDenial(rule) && mayMean(rule, subject, scope)),
  }
}

/** The rule may ask at another time, or when its server says something else of the tool. */
function mayAsk(rule: Rule, subject: ToolCallSubject, scope: RuleScope): boolean {
  if (rule.decision !== 'ask' || !mayMean(rule, subject, scope)) return false
  if (rule.conversation && !fits(rule.conversation, subject.conversation ?? '')) return false
  const call = callOf(subject)
  return (rule.arguments ?? []).every((argument) => {
    const isMasked = call.search.foundOrMissing(argument).some((value) => textIn(value)?.includes(MASK))
    // Masked values may have been anything.
    return isMasked || compileArgument(argument, false)(call)
  })
}

function isDenial({ decision }: Rule): boolean {
  return decision === 'deny_continue' || decision === 'deny_abort'
}

function mayMean(rule: Rule, subject: ToolCallSubject, scope: RuleScope): boolean {
  const { server, tool, principal, agent = '', folder = '' } = subject
  const names = agentNames(agent)
  const isOther =
    scope === 'agent' &&
    !(fits(rule.principal, principal, ...names) && fits(rule.agent, ...names) && fits(rule.folder, folder))
  return fits(rule.server, server) && fits(rule.tool, tool) && !isOther
}

function fits(globs: string[] | undefined, ...texts: string[]): boolean {
  return globs?.some((glob) => texts.some(compileGlob(glob).fits)) ?? true
}
