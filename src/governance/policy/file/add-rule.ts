import { isDeepStrictEqual } from 'node:util'
import { ParleyError } from '../../../protocol/errors.ts'
import type { Rule } from '../rule.ts'
import { type ListNode, type Node, parseJsonc } from './jsonc.ts'
import { type ReadPolicy, readPolicy } from './read-policy.ts'

export interface NewRule {
  /** The rule as it would stand in the file. */
  rule: Record<string, unknown>
  /** The person who added it, and the time. */
  comment: string
  /** The id of the rule that it must come before, because that one would decide. Otherwise it is the last. */
  before?: string
}

/** A policy with one rule more and everything else as it was, layout and comments too. */
export function withRule(text: string, { rule, comment, before }: NewRule, path: string): string {
  const old = readPolicy(text)
  mustBeGood(old, path)
  const place = before === undefined ? old.rules.length : old.rules.findIndex(({ id }) => id === before)
  if (place === -1) throw new ParleyError('invalid', { problem: `Unknown rule "${before}"` })
  const list = listIn(parseJsonc(text))
  const drawn = (indent: string) => drawnRule(rule, comment, indent)
  const ways = place < list.items.length ? [aboveComments, justBefore] : [atTheEnd]
  for (const way of ways) {
    const added = way(text, list, place, drawn)
    if (isOnlyAdded(readPolicy(added), old, place)) return added
  }
  const { problems } = readPolicy(atTheEnd(text, list, place, drawn))
  throw new ParleyError('invalid', {
    problem: `This rule cannot be added: ${problems[0]?.text ?? 'it would change others'}`,
  })
}

/** A rule as it stands in a file, below its comment. */
export function drawnRule(rule: NewRule['rule'], comment: string, indent: string): string {
  return `${commented(comment, indent)}${indent}${inOneLine(rule)}`
}

type Way = (text: string, list: ListNode, place: number, drawn: (indent: string) => string) => string

/** A rule goes behind the line of the rule before, so that comments stay with the rule that they are about. */
const aboveComments: Way = (text, list, place, drawn) => {
  const from = place === 0 ? list.at : (list.commas[place - 1] as number)
  const end = text.indexOf('\n', from)
  const next = list.items[place] as Node
  if (end === -1 || end > next.at) return justBefore(text, list, place, drawn)
  return `${text.slice(0, end + 1)}${drawn(indentAt(text, next.at))},\n${text.slice(end + 1)}`
}

const justBefore: Way = (text, list, place, drawn) => {
  const next = list.items[place] as Node
  const indent = indentAt(text, next.at)
  return `${text.slice(0, next.at)}\n${drawn(indent)},\n${indent}${text.slice(next.at)}`
}

const atTheEnd: Way = (text, list, _place, drawn) => {
  const last = list.items.at(-1)
  const comma = list.commas.length === list.items.length
  const outer = indentAt(text, list.at)
  const indent = last && text.slice(list.at, last.at).includes('\n') ? indentAt(text, last.at) : `${outer}  `
  const end = text.slice(0, list.end - 1).trimEnd().length
  const kept = last && !comma ? `${text.slice(0, last.end)},${text.slice(last.end, end)}` : text.slice(0, end)
  const gap = text.slice(end, list.end - 1)
  return `${kept}\n${drawn(indent)}${comma && last ? ',' : ''}${gap.includes('\n') ? gap : `\n${outer}`}${text.slice(list.end - 1)}`
}

export function mustBeGood({ problems: [problem] }: ReadPolicy, path: string) {
  if (!problem) return
  const { line, column, text } = problem
  throw new ParleyError('policy_broken', { problem: `${path}:${line}:${column}: ${text}; correct it first` })
}

/** A comment that goes on where it should not have would swallow the rule, or another one. */
function isOnlyAdded({ rules, problems }: ReadPolicy, old: ReadPolicy, place: number): boolean {
  const others = rules.filter((_, n) => n !== place)
  return (
    problems.length === 0 &&
    rules.length === old.rules.length + 1 &&
    others.every((rule, n) => isSame(rule, old.rules[n]))
  )
}

/** Compares all but its place, and the order in which it says what it wants. */
export function isSame(one: Rule, other: Rule | undefined): boolean {
  return other !== undefined && isDeepStrictEqual(wantedBy(one), wantedBy(other))
}

function wantedBy({ line: _, id, off = false, ...rule }: Rule) {
  return { ...rule, off, id: id.startsWith('#') ? undefined : id }
}

export function listIn(root: Node): ListNode {
  return (root.kind === 'object' ? root.members[0]?.value : root) as ListNode
}

/** Blanks at the beginning of the line. */
function indentAt(text: string, at: number): string {
  const [indent = ''] = /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', at - 1) + 1)) ?? []
  return indent
}

function commented(comment: string, indent: string): string {
  const lines = comment.split(/[\r\n\u2028\u2029]+/).filter((line) => line.trim() !== '')
  return lines.map((line) => `${indent}// ${line}\n`).join('')
}

function inOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inOneLine).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).filter(([, value]) => value !== undefined)
  return members.length === 0
    ? '{}'
    : `{ ${members.map(([name, value]) => `${JSON.stringify(name)}: ${inOneLine(value)}`).join(', ')} }`
}
