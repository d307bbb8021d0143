import type { FileChange } from '../../../../src/protocol/entries/entry.ts'
import { targetOf } from '../../../../src/protocol/tools/target.ts'
import { addedAndRemoved } from './changes.ts'
import { compare, type Edit, editsIn } from './edits.ts'
import { isLong } from './long.ts'

/** The files that a call changed, and how many lines of them. */
export interface Touched {
  paths: string[]
  added: number
  removed: number
}

interface Call {
  args?: string
  changes?: FileChange[]
}

/** Nothing where the call changed no file, as far as it says so. */
export function touchedBy({ args = '', changes }: Call): Touched | undefined {
  if (changes) {
    const edits = changes.map(({ old_text: before = '', new_text: after }) => ({ before, after }))
    return { paths: [...new Set(changes.map(({ path }) => path))], ...counted(edits, isLong({ input: '', changes })) }
  }
  const edit = editsIn(args)
  return edit && { paths: [targetOf(args)], ...counted(edit.edits, isLong({ input: args })) }
}

/** All of them together. */
export function sumOf(all: Touched[]): Touched | undefined {
  if (all.length === 0) return undefined
  return {
    paths: [...new Set(all.flatMap(({ paths }) => paths))],
    added: all.reduce((sum, { added }) => sum + added, 0),
    removed: all.reduce((sum, { removed }) => sum + removed, 0),
  }
}

function counted(edits: Edit[], areLong: boolean) {
  return areLong ? countedAtOnce(edits) : addedAndRemoved(compare(edits))
}

/** What would take long to be compared is only counted, whatever the order of its lines. */
function countedAtOnce(edits: Edit[]) {
  let [added, removed] = [0, 0]
  for (const { before, after } of edits) {
    const left = new Map<string, number>()
    for (const line of linesIn(before)) left.set(line, (left.get(line) ?? 0) + 1)
    for (const line of linesIn(after)) {
      const count = left.get(line) ?? 0
      if (count > 0) left.set(line, count - 1)
      else added++
    }
    for (const count of left.values()) removed += count
  }
  return { added, removed }
}

function linesIn(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n')
}
