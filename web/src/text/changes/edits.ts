import { diffLines } from 'diff/lib/diff/line.js'
import { jsonIn } from '../../../../src/protocol/text/json.ts'
import { isRecord } from '../../../../src/protocol/text/record.ts'
import type { Change } from './changes.ts'

/** A replacement of one text with another. */
export interface Edit {
  before: string
  after: string
  /** The rest of it, in one line. */
  more?: string
}

const EDIT_NAMES = [
  ['old_string', 'new_string'],
  ['old_str', 'new_str'],
  ['oldText', 'newText'],
  ['old_text', 'new_text'],
] as const
const MOST_EDITS = 2000
/** The time for each edit: all of a call is compared at once only where it is short. */
const PATIENCE_MS = 40
/** An edit of fewer characters is compared to its end, however busy the machine is. */
const SHORT = 1000

/** The edits of a call, the arguments they are in, and the other ones; undefined when it is no editing call. */
export function editsIn(args: string): { edits: Edit[]; names: string[]; rest: Record<string, unknown> } | undefined {
  const parsed = jsonIn(args)
  if (!isRecord(parsed)) return undefined
  const names = Array.isArray(parsed.edits) ? ['edits'] : pairIn(parsed)
  const edits = Array.isArray(parsed.edits) ? parsed.edits.map(listed) : [names && editIn(parsed, names)]
  if (!names || edits.length === 0 || !edits.every((edit) => edit !== undefined)) return undefined
  return { edits, names, rest: without(parsed, names) }
}

/** The differences line by line. */
export function compare(edits: Edit[]): Change[] {
  return [...comparing(edits)].flat()
}

/** The same, one edit after the other. */
export function* comparing(edits: Edit[]): Generator<Change[]> {
  for (const [n, { before, after, more }] of edits.entries()) {
    const all = [
      { value: before, removed: true, added: false },
      { value: after, removed: false, added: true },
    ]
    const timeout = before.length + after.length < SHORT ? Number.POSITIVE_INFINITY : PATIENCE_MS
    const parts =
      diffLines(before, after, { maxEditLength: MOST_EDITS, timeout }) ?? all.filter(({ value }) => value !== '')
    const lines = parts.flatMap(({ value, added, removed }) =>
      value
        .replace(/\n$/, '')
        .split('\n')
        .map((text): Change => changed(added ? 'added' : removed ? 'removed' : 'same', text)),
    )
    const heading: Change = { kind: 'place', text: more ? `… ${more}` : '…' }
    yield n === 0 && !more ? lines : [heading, ...lines]
  }
}

const SIGNS = { added: '+', removed: '-', same: ' ' }

function changed(kind: 'added' | 'removed' | 'same', text: string): Change {
  return { kind, text: SIGNS[kind] + text }
}

/** One of several; what it says besides must be so little that a line can show it. */
function listed(edit: unknown): Edit | undefined {
  const names = isRecord(edit) ? pairIn(edit) : undefined
  if (!isRecord(edit) || !names) return undefined
  const others = Object.entries(without(edit, names))
  if (!others.every(([, value]) => typeof value === 'boolean' || typeof value === 'string')) return undefined
  const more = others.map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`).join(', ')
  return { ...editIn(edit, names), ...(more && { more }) }
}

function pairIn(args: Record<string, unknown>): string[] | undefined {
  const pair = EDIT_NAMES.find((names) => names.every((name) => typeof args[name] === 'string'))
  return pair && [...pair]
}

function editIn(args: Record<string, unknown>, [old = '', fresh = '']: string[]): Edit {
  return { before: String(args[old]), after: String(args[fresh]) }
}

function without(args: Record<string, unknown>, names: string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(args).filter(([name]) => !names.includes(name)))
}
