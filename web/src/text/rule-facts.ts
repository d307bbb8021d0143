import type { ShownGrant, ShownRule } from '../../../src/protocol/tools/policy.ts'
import { nameOf } from '../state/rows/records.ts'
import { agentName } from './agent.ts'
import { dayName, midnight, moment } from './time.ts'
import { visible } from './visible.ts'

/** The author of a rule, and how often it decided. */
export function ruleFacts(rule: ShownRule, now: number): string {
  const { by, on, conversation, line } = rule
  const asks = rule.decision === 'ask'
  const often = oftenOf(rule, now, asks ? ['Asked', 'Has not asked yet'] : ['Decided', 'Has not decided yet'])
  if (by === undefined || on === undefined) return `Written by hand, line ${line} · ${often}`
  const where = conversation === undefined ? '' : ` in ${visible(conversation)}`
  return `Always allowed by ${personOf(by)}${where} · ${dayName(midnight(on), now)} · ${often}`
}

/** The scope of a grant, who gave it, and how often it was used. */
export function grantFacts(grant: ShownGrant, now: number): string {
  const { agent, folder, title, by, at } = grant
  const whom = agent === undefined ? '' : `To ${agentName(agent)}${folder ? ` in ${visible(folder)}` : ''}, in `
  const often = oftenOf(grant, now, ['Used', 'Not used yet'])
  return `${whom}${visible(title)} · By ${personOf(by)}, ${moment(at, now)} · ${often}`
}

function oftenOf({ count = 0, last = 0 }: { count?: number; last?: number }, now: number, words: [string, string]) {
  if (count === 0) return words[1]
  return `${words[0]} ${count === 1 ? 'once' : `${count} times`}, last ${moment(last, now)}`
}

function personOf(by: string): string {
  return visible(nameOf(by) ?? 'a person')
}
