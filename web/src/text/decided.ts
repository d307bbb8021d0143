import type { Decided } from '../../../src/protocol/entries/entry.ts'
import { nameOf } from '../state/rows/records.ts'
import { visible } from './visible.ts'

/** The hub's name for nobody having decided in time. */
const DEADLINE = 'deadline'

/** The sentence about what let a call through or stopped it. */
export function decidedWords({ decision, rule, by, always }: Decided): string {
  const end = decision === 'deny_abort' ? ', which ended the turn' : ''
  const note = rule?.note ? `: ${visible(rule.note)}` : ''
  const verdict = decision === 'allow' ? 'Allowed' : 'Denied'
  if (rule) return `${verdict} by ${ruleWords(rule)}${end}${note}`
  if (by === DEADLINE) return `${verdict}, as nobody decided in time${end}`
  const who = by && (nameOf(by) ?? 'a person')
  if (always) return `Always allowed here by ${who}`
  if (who) return `${verdict} by ${who}${end}`
  return decision === 'allow' ? 'Allowed, as it only reads' : `${verdict}${end}`
}

/** The same for a person who sees the verdict already. */
export function deciderOf({ rule, by }: Decided): string | undefined {
  if (rule) return `rule ${visible(rule.id)}`
  return by === undefined || by === DEADLINE ? undefined : nameOf(by)
}

function ruleWords({ id, line }: NonNullable<Decided['rule']>): string {
  return `the rule ${visible(id)}${line === undefined ? '' : ` (line ${line})`}`
}
