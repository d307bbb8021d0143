import { sizeInWords } from '../../../protocol/text/size.ts'
import type { CallLimit } from '../../../protocol/tools/gateway.ts'
import type { ShownPolicy } from '../../../protocol/tools/policy.ts'
import type { Rule } from '../rule.ts'
import { writtenIn } from './change-rule.ts'
import { identitiesOf } from './rule-identity.ts'

/** A rule's purpose in one line. */
export function summaryOf({ annotations, time, command, arguments: args, limit, ...rule }: Rule): string {
  const { server, tool, principal, agent, folder, conversation } = rule
  const texts = Object.entries({ server, tool, principal, agent, folder, conversation })
  const parts = [
    ...texts.flatMap(([name, globs]) =>
      globs ? [`${name} ${globs.map((glob) => glob || 'unknown').join(' or ')}`] : [],
    ),
    ...(command === false ? ['no command'] : []),
    ...(annotations ?? []).map(([hint, is]) => `${hint} ${is}`),
    ...(time ? [`time ${time.map(({ shown }) => shown).join(' or ')}`] : []),
    ...(args ?? []).map(({ name, shown }) => `${name} ${shown.replace(/\s+/g, ' ')}`),
  ]
  const wanted = parts.join(', ') || 'everything'
  return limit ? `${wanted}; at most ${limitInWords(limit)}` : wanted
}

function limitInWords({ calls, arguments: args, result, time }: CallLimit): string {
  const parts = [
    calls && `${calls.most} ${calls.most === 1 ? 'call' : 'calls'} ${calls.each === 'hour' ? 'an' : 'a'} ${calls.each}`,
    args !== undefined && `${sizeInWords(args)} of arguments`,
    result !== undefined && `${sizeInWords(result)} of result`,
    time !== undefined && `${time / 1000} s of time`,
  ]
  return parts.filter(Boolean).join(', ')
}

/** `text`: the policy that they stand in. */
export function shownRules(rules: readonly Rule[], text: string): ShownPolicy['rules'] {
  const identities = identitiesOf(rules)
  const written = writtenIn(text)
  return rules.map((rule, n) => ({
    id: rule.id,
    identity: identities[n] as string,
    line: rule.line,
    decision: rule.decision,
    shown: summaryOf(rule),
    ...(rule.off && { off: true }),
    ...written[n],
  }))
}
