import { ParleyError } from '../../../protocol/errors.ts'
import type { Rule } from '../rule.ts'
import { isSame, listIn, mustBeGood } from './add-rule.ts'
import { type ListNode, type Node, type ObjectNode, parseJsonc } from './jsonc.ts'
import { readPolicy } from './read-policy.ts'
import { identitiesOf } from './rule-identity.ts'

/** The person who always allowed what became a rule, the day and the place. */
export interface Written {
  by: string
  on: string
  conversation?: string
}

export type RuleChange = 'on' | 'off' | 'taken_back'

/** What stands above a rule that "Always" made. */
const ALLOWED = /^[ \t]*\/\/ Allowed by (.+?) on (\d{4}-\d\d-\d\d)(?: in (.+?))?[ \t\r]*$/

/** A name as it stands there, where another line would be another comment. */
export function inComment(name: string): string {
  return name.replace(/[\u2028\u2029]/g, ' ')
}

/** What Parley wrote above each rule, in their order; nothing for those of others. */
export function writtenIn(text: string): (Written | undefined)[] {
  const list = listIn(parseJsonc(text))
  return list.items.map((_, n) => writtenAbove(text, list, n)?.written)
}

/** A policy with one rule switched off or on or taken out, and everything else as it was, layout and comments too. */
export function withChange(text: string, identity: string, change: RuleChange, path: string): string {
  const old = readPolicy(text)
  mustBeGood(old, path)
  const place = identitiesOf(old.rules).indexOf(identity)
  const rule = old.rules[place]
  if (!rule) throw new ParleyError('unknown_rule')
  const list = listIn(parseJsonc(text))
  if (change === 'taken_back') return without(text, list, place, path)
  const off = change === 'off'
  if ((rule.off ?? false) === off) return text
  const changed = switched(text, list.items[place] as ObjectNode, off)
  const { rules, problems } = readPolicy(changed)
  const isMeant = rules.every((one, n) => isSame(one, n === place ? { ...rule, off } : old.rules[n]))
  if (problems.length > 0 || !isMeant || rules.length !== old.rules.length) throw odd(rule)
  return changed
}

const OFF = ' "off": true,'

/** The switch stands before everything else of the rule, so that it is seen at once. */
function switched(text: string, { at, members }: ObjectNode, off: boolean): string {
  const begins = at + 1
  const own = members.find(({ name }) => name === 'off')
  if (!own) return text.slice(0, begins) + OFF + text.slice(begins)
  if (!off && text.startsWith(OFF, begins)) return text.slice(0, begins) + text.slice(begins + OFF.length)
  return `${text.slice(0, own.value.at)}${off}${text.slice(own.value.end)}`
}

/** Removes only what Parley wrote: whatever else stands in the file is somebody's own. */
function without(text: string, list: ListNode, place: number, path: string): string {
  const old = readPolicy(text)
  const rule = old.rules[place] as Rule
  const comment = writtenAbove(text, list, place)
  if (!comment) throw new ParleyError('rule_by_hand', { path })
  const changed = cutRule(text, list, place, comment.at)
  const { rules, problems } = readPolicy(changed)
  const others = old.rules.filter((_, n) => n !== place)
  const isMeant = rules.length === others.length && rules.every((one, n) => isSame(one, others[n]))
  if (problems.length > 0 || !isMeant) throw odd(rule)
  return changed
}

/** The text without the rule, its comma and the line that it ends; `from` is where it begins, or what belongs to it. */
export function cutRule(text: string, list: ListNode, place: number, from: number): string {
  const end = (list.commas[place] ?? (list.items[place] as Node).end - 1) + 1
  const [, rest = ''] = /^([ \t]*\r?\n)/.exec(text.slice(end)) ?? []
  return text.slice(0, from) + text.slice(end + rest.length)
}

export function writtenAbove(
  text: string,
  list: ListNode,
  place: number,
): { at: number; written: Written } | undefined {
  const from = place === 0 ? list.at : (list.commas[place - 1] as number)
  const above = text.slice(from, (list.items[place] as Node).at).replace(/[ \t]*$/, '')
  if (!above.endsWith('\n')) return undefined
  const begins = above.lastIndexOf('\n', above.length - 2) + 1
  const [, by, on, conversation] = ALLOWED.exec(above.slice(begins, -1)) ?? []
  // A comment on the line of the rule before is about that one.
  if (by === undefined || on === undefined || begins === 0) return undefined
  return { at: from + begins, written: { by, on, ...(conversation !== undefined && { conversation }) } }
}

function odd({ id }: Rule): ParleyError {
  return new ParleyError('invalid', { problem: `Rule ${id} cannot be changed without changing others` })
}
