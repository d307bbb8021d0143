import { ParleyError } from '../protocol/errors.ts'
import type { ToolCallSubject } from '../protocol/gateway.ts'
import { literally } from './glob.ts'
import { placeOfRule, type RuleScope } from './place-of-rule.ts'
import type { PolicyFile } from './policy-file.ts'
import type { Rule } from './rule.ts'

/** Whom it is for, and who allowed it. */
interface Remembering {
  scope: RuleScope
  by: string
}

/** The rules of a file, as they decide about what people would be asked, and grow by what people say. */
export function remembering(file: PolicyFile) {
  return {
    decide: file.decide,
    remember: (subject: ToolCallSubject, how: Remembering) => remember(file, subject, how),
  }
}

/**
 * Adds the rule that allows the tool of a call from now on, to its principal or to everyone. It comes before each rule
 * that asks about such a call, and is not made where one behind it would deny: whoever allows lifts no denial.
 */
async function remember(file: PolicyFile, subject: ToolCallSubject, { scope, by }: Remembering): Promise<void> {
  const rules = file.rules()
  const { place, denying } = placeOfRule(rules, subject, scope, file.decide(subject).rule?.id)
  const principal = scope === 'agent' ? literally(subject.principal) : undefined
  const rule = { server: literally(subject.server), tool: literally(subject.tool), principal, decision: 'allow' }
  if (rules.slice(0, place + 1).some((one) => isRule(one, rule))) return
  if (denying) throw new ParleyError('rule_denies', { rule: denying.id })
  const { conversation, at } = subject
  const where = conversation === undefined ? '' : ` in ${conversation}`
  await file.add({ rule, comment: `Allowed by ${by} on ${dayOf(at)}${where}`, before: rules[place]?.id })
}

/** It was made before, by somebody who did not hear of it. */
function isRule({ id: _, line: __, ...own }: Rule, { server, tool, principal, decision }: NewRule) {
  const made = { server: [server], tool: [tool], principal: principal && [principal], decision }
  const keys = [...new Set([...Object.keys(own), ...Object.keys(made)])] as (keyof typeof made)[]
  return keys.every((key) => JSON.stringify(own[key]) === JSON.stringify(made[key]))
}

interface NewRule {
  server: string
  tool: string
  principal?: string
  decision: string
}

/** As calendars have it where the hub is. */
function dayOf(at: number): string {
  const date = new Date(at)
  const [month, day] = [date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0'))
  return `${date.getFullYear()}-${month}-${day}`
}
