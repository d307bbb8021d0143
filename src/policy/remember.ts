import { isDeepStrictEqual } from 'node:util'
import { agentNames } from '../protocol/agent-name.ts'
import { ParleyError } from '../protocol/errors.ts'
import type { ToolCallSubject } from '../protocol/gateway.ts'
import { type AlwaysRule, alwaysRule } from './always-rule.ts'
import { compileGlob } from './glob.ts'
import type { PolicyFile } from './policy-file.ts'
import { readPolicy } from './read-policy.ts'
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
 * Adds the rule that allows the tool of a call, or the command, from now on, to its agent or to everyone. It comes before the rule
 * that decides about the call now, and is not made where one behind it would deny: whoever allows lifts no denial.
 */
async function remember(file: PolicyFile, subject: ToolCallSubject, { scope, by }: Remembering): Promise<void> {
  const { rule: deciding, decision } = file.decide(subject)
  const rules = file.rules()
  const place = deciding ? rules.findIndex(({ id }) => id === deciding.id) : rules.length
  const rule = alwaysRule(subject, scope)
  if (decision === 'allow' && isRule(rules[place], rule)) return
  const denying = rules.slice(place).find((one) => isDenial(one) && mayMean(one, subject, scope))
  if (denying) throw new ParleyError('rule_denies', { rule: denying.id })
  const { conversation, at } = subject
  const where = conversation === undefined ? '' : ` in ${conversation}`
  await file.add({ rule: { ...rule }, comment: `Allowed by ${by} on ${dayOf(at)}${where}`, before: deciding?.id })
}

/** It was made before, by somebody who did not hear of it. */
function isRule(rule: Rule | undefined, made: AlwaysRule): boolean {
  const [read] = readPolicy(JSON.stringify({ rules: [made] })).rules
  return rule !== undefined && isDeepStrictEqual(wantedBy(rule), wantedBy(read as Rule))
}

/** Without what is only about the file. */
function wantedBy({ id: _, line: __, arguments: args = [], ...rule }: Rule) {
  return { ...rule, arguments: args.map(({ name, wanted }) => ({ name, wanted })) }
}

function isDenial({ decision }: Rule): boolean {
  return decision === 'deny_continue' || decision === 'deny_abort'
}

function mayMean(rule: Rule, subject: ToolCallSubject, scope: Remembering['scope']): boolean {
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

/** As calendars have it where the hub is. */
function dayOf(at: number): string {
  const date = new Date(at)
  const [month, day] = [date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0'))
  return `${date.getFullYear()}-${month}-${day}`
}
