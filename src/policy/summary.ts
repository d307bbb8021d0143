import type { ShownPolicy } from '../protocol/policy.ts'
import type { Rule } from './rule.ts'

/** What a rule is for, in one line. */
export function summaryOf({ annotations, time, arguments: args, ...rule }: Rule): string {
  const { server, tool, principal, agent, folder, conversation } = rule
  const texts = Object.entries({ server, tool, principal, agent, folder, conversation })
  const parts = [
    ...texts.flatMap(([name, globs]) =>
      globs ? [`${name} ${globs.map((glob) => glob || 'unknown').join(' or ')}`] : [],
    ),
    ...(annotations ?? []).map(([hint, is]) => `${hint} ${is}`),
    ...(time ? [`time ${time.map(({ shown }) => shown).join(' or ')}`] : []),
    ...(args ?? []).map(({ name, shown }) => `${name} ${shown.replace(/\s+/g, ' ')}`),
  ]
  return parts.join(', ') || 'everything'
}

export function shownRules(rules: readonly Rule[]): ShownPolicy['rules'] {
  return rules.map((rule) => ({ id: rule.id, line: rule.line, decision: rule.decision, shown: summaryOf(rule) }))
}
