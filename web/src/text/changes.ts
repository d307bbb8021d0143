import { jsonIn } from '../../../src/protocol/json.ts'
import { isRecord } from '../../../src/protocol/record.ts'

/** One line of a difference between two texts. */
export interface Change {
  kind: 'added' | 'removed' | 'same' | 'place'
  text: string
}

interface Edit {
  before: string
  after: string
}

const PATCH = /^(?:diff --git |\*\*\* Begin Patch$|@@ -\d+(?:,\d+)? \+\d+|--- [^\n]+\n\+\+\+ )/m
/** Names of the file, not lines of it. */
const HEADING = /^(?:---|\+\+\+) |^(?:diff |index |@@|\*\*\* |(?:new|deleted) file |similarity |rename |Binary )/
/** A patch says so at its start; looking further would cost more than it finds. */
const LOOKED_AT = 4000
const MOST_EDITS = 2000
const PATIENCE_MS = 200

export function isPatch(text: string): boolean {
  return PATCH.test(text.slice(0, LOOKED_AT))
}

/** The lines of a patch. */
export function changesIn(patch: string): Change[] {
  return patch.split('\n').map((text) => ({ kind: kindOf(text), text }))
}

export function addedAndRemoved(changes: Change[]) {
  const count = (wanted: Change['kind']) => changes.filter(({ kind }) => kind === wanted).length
  return { added: count('added'), removed: count('removed') }
}

/** What a call of an editing tool replaces with what, and its other arguments; undefined when it is no such call. */
export function editsIn(args: string): { edits: Edit[]; rest: Record<string, unknown> } | undefined {
  const parsed = jsonIn(args)
  if (!isRecord(parsed)) return undefined
  const { edits, ...others } = parsed
  const list = Array.isArray(edits) ? edits.map(editOf) : [editOf(parsed)]
  if (list.length === 0 || !list.every((edit) => edit !== undefined)) return undefined
  return { edits: list, rest: Object.fromEntries(Object.entries(others).filter(([name]) => !isEditName(name))) }
}

/** The differences line by line. What compares them is only loaded for the first. */
export async function compare(edits: Edit[]): Promise<Change[]> {
  const { diffLines } = await import('diff/lib/diff/line.js')
  return edits.flatMap(({ before, after }, n) => {
    const parts = diffLines(before, after, { maxEditLength: MOST_EDITS, timeout: PATIENCE_MS }) ?? [
      { value: before, removed: true, added: false },
      { value: after, removed: false, added: true },
    ]
    const lines = parts.flatMap(({ value, added, removed }) =>
      value
        .replace(/\n$/, '')
        .split('\n')
        .map((text): Change => changed(added ? 'added' : removed ? 'removed' : 'same', text)),
    )
    return n === 0 ? lines : [{ kind: 'place', text: '…' } as Change, ...lines]
  })
}

const SIGNS = { added: '+', removed: '-', same: ' ' }

function changed(kind: 'added' | 'removed' | 'same', text: string): Change {
  return { kind, text: SIGNS[kind] + text }
}

function kindOf(line: string): Change['kind'] {
  if (HEADING.test(line)) return 'place'
  return line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : 'same'
}

const EDIT_NAMES = [
  ['old_string', 'new_string'],
  ['old_str', 'new_str'],
  ['oldText', 'newText'],
  ['old_text', 'new_text'],
] as const

function editOf(args: unknown): Edit | undefined {
  if (!isRecord(args)) return undefined
  for (const [old, fresh] of EDIT_NAMES) {
    const [before, after] = [args[old], args[fresh]]
    if (typeof before === 'string' && typeof after === 'string') return { before, after }
  }
  return undefined
}

function isEditName(name: string): boolean {
  return EDIT_NAMES.some((pair) => pair.some((edit) => edit === name))
}
