import type { FileChange } from '../../../../src/protocol/entries/entry.ts'
import type { Change } from './changes.ts'
import { compare } from './edits.ts'

/** The number of lines around a change that show where it is. */
const AROUND = 3

/** The changes in a file, line by line; of what stays, only what is around. */
export function linesOf({ old_text = '', new_text }: FileChange): Change[] {
  const lines = compare([{ before: old_text, after: new_text }])
  const near = nearness(lines)
  const shown: Change[] = []
  let [before, after, isCut] = [1, 1, false]
  lines.forEach((line, n) => {
    if (near[n]) {
      if (isCut) shown.push({ kind: 'place', text: `@@ -${before} +${after} @@` })
      shown.push(line)
    }
    isCut = !near[n]
    if (line.kind !== 'added') before++
    if (line.kind !== 'removed') after++
  })
  return shown
}

/** Whether both change the same lines. */
export function isSame(one: Change[], other: Change[]): boolean {
  const [ones, others] = [one, other].map((lines) => lines.filter(({ kind }) => kind === 'added' || kind === 'removed'))
  return ones?.length === others?.length && ones?.every(({ text }, n) => text === others?.[n]?.text) === true
}

function nearness(lines: Change[]): boolean[] {
  const near = lines.map(({ kind }) => kind !== 'same')
  const changed = near.flatMap((is, n) => (is ? n : []))
  for (const n of changed)
    for (let at = Math.max(0, n - AROUND); at <= n + AROUND && at < near.length; at++) near[at] = true
  return near
}
