import { ParleyError } from '../protocol/errors.ts'
import type { ToolCallSubject } from '../protocol/gateway.ts'
import { compileGlob, literally } from './glob.ts'
import type { PolicyFile } from './policy-file.ts'
import type { Rule } from './rule.ts'

/** Whom it is for, and who allowed it. */
interface Remembering {
  scope: 'agent' | 'everyone'
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
 * Adds the rule that allows the tool of a call from now on, to its principal or to everyone. It comes before the rule
 * that decides about the call now, and is not made where one behind it would deny: whoever allows lifts no denial.
 */
async function remember(file: PolicyFile, subject: ToolCallSubject, { scope, by }: Remembering): Promise<void> {
  const { rule: deciding, decision } = file.decide(subject)
  const rules = file.rules()
  const place = deciding ? rules.findIndex(({ id }) => id === deciding.id) : rules.length
  const principal = scope === 'agent' ? literally(subject.principal) : undefined
  const rule = { server: literally(subject.server), tool: literally(subject.tool), principal, decision: 'allow' }
  if (decision === 'allow' && isRule(rules[place], rule)) return
  const denying = rules.slice(place).find((one) => isDenial(one) && mayMean(one, subject, scope))
  if (denying) throw new ParleyError('rule_denies', { rule: denying.id })
  const { conversation, at } = subject
  const where = conversation === undefined ? '' : ` in ${conversation}`
  await file.add({ rule, comment: `Allowed by ${by} on ${dayOf(at)}${where}`, before: deciding?.id })
}

/** It was made before, by somebody who did not hear of it. */
function isRule({ id: _, line: __, ...own }: Partial<Rule> = {}, { server, tool, principal, decision }: NewRule) {
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

function isDenial({ decision }: Rule): boolean {
  return decision === 'deny_continue' || decision === 'deny_abort'
}

function mayMean(rule: Rule, { server, tool, principal }: ToolCallSubject, scope: Remembering['scope']): boolean {
  const isOther = scope === 'agent' && !fits(rule.principal, principal)
  return fits(rule.server, server) && fits(rule.tool, tool) && !isOther
}

function fits(globs: string[] | undefined, text: string): boolean {
  return globs?.some((glob) => compileGlob(glob).fits(text)) ?? true
}

/** As calendars have it where the hub is. */
function dayOf(at: number): string {
  const date = new Date(at)
  const [month, day] = [date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0'))
  return `${date.getFullYear()}-${month}-${day}`
}
