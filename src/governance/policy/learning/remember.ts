import { isDeepStrictEqual } from 'node:util'
import { ParleyError } from '../../../protocol/errors.ts'
import type { ToolCallSubject } from '../../../protocol/tools/gateway.ts'
import { inComment } from '../file/change-rule.ts'
import { createCounts } from '../file/counts.ts'
import type { PolicyFile } from '../file/policy-file.ts'
import { readPolicy } from '../file/read-policy.ts'
import { identitiesOf } from '../file/rule-identity.ts'
import type { Rule } from '../rule.ts'
import { type AlwaysRule, alwaysRule } from './always-rule.ts'
import { placeOfRule, type RuleScope } from './place-of-rule.ts'

/** The scope, and who allowed it. */
interface Remembering {
  scope: RuleScope
  by: string
}

/** The rules of a file, as they decide about what people would be asked, and grow by what people say. */
export function remembering(file: PolicyFile, report: (error: unknown) => void) {
  return {
    decide: file.decide,
    counts: createCounts({ rules: file.rules, report }),
    remember: (subject: ToolCallSubject, how: Remembering) => remember(file, subject, how),
  }
}

/**
 * Adds the rule that allows the tool of a call, or the command, from now on, to its agent or to everyone. It comes
 * before each rule that asks about such a call, and is not made where one behind it would deny: whoever allows lifts no
 * denial. What the rule is known by is the answer.
 */
async function remember(file: PolicyFile, subject: ToolCallSubject, { scope, by }: Remembering): Promise<string> {
  const rules = file.rules()
  const { place, denying } = placeOfRule(rules, subject, scope, file.decide(subject).rule?.id)
  const rule = alwaysRule(subject, scope)
  const before = rules.slice(0, place + 1).findIndex((one) => isRule(one, rule))
  const identity = identitiesOf(rules)[before] as string
  if (before !== -1 && !rules[before]?.off) return identity
  if (denying) throw new ParleyError('rule_denies', { rule: denying.id })
  if (before !== -1) {
    await file.change(identity, 'on')
    return identity
  }
  const { conversation, at } = subject
  const where = conversation === undefined ? '' : ` in ${conversation}`
  const comment = inComment(`Allowed by ${by} on ${dayOf(at)}${where}`)
  await file.add({ rule: { ...rule }, comment, before: rules[place]?.id })
  const now = file.rules()
  return identitiesOf(now)[now.findIndex((one) => isRule(one, rule))] as string
}

/** It was made before, by somebody who did not hear of it. */
function isRule(rule: Rule, made: AlwaysRule): boolean {
  const [read] = readPolicy(JSON.stringify({ rules: [made] })).rules
  return isDeepStrictEqual(wantedBy(rule), wantedBy(read as Rule))
}

/** The rule without what is only about the file. */
function wantedBy({ id: _, line: __, off: ___, arguments: args = [], ...rule }: Rule) {
  return { ...rule, arguments: args.map(({ name, wanted }) => ({ name, wanted })) }
}

/** The day of the calendar where the hub is. */
function dayOf(at: number): string {
  const date = new Date(at)
  const [month, day] = [date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0'))
  return `${date.getFullYear()}-${month}-${day}`
}
