import { relative, resolve, sep } from 'node:path'
import { isIn } from '../../../io/disk/is-in.ts'
import type { FileChange } from '../../../protocol/entries/entry.ts'
import type { ChangedFile } from '../../../protocol/frames/asked/changes.ts'

type Edit = Omit<FileChange, 'path'>

/** Edits one after the other as one list for each file; what a later one changes again is in it only once. */
export function mergedEdits(changes: FileChange[], folder?: string): ChangedFile[] {
  return [...Map.groupBy(changes, ({ path }) => placeOf(path, folder))].flatMap(([path, own]): ChangedFile[] => {
    const edits = own.reduce<Edit[]>(withEdit, []).filter(({ old_text = '', new_text }) => old_text !== new_text)
    if (edits.length === 0) return []
    const isNew = edits.length === 1 && edits[0]?.old_text === undefined
    return [{ path, kind: isNew ? 'added' : 'changed', edits }]
  })
}

/** Agents name one file in full and from their folder; git names it from there. Of a file that is elsewhere, all is told. */
function placeOf(path: string, folder: string | undefined): string {
  if (folder === undefined) return path
  const whole = resolve(folder, path)
  return whole !== folder && isIn(folder, whole) ? relative(folder, whole).split(sep).join('/') : path
}

function withEdit(before: Edit[], { old_text, new_text }: FileChange): Edit[] {
  // Where a text stands more than once, nobody knows which one was meant.
  const at = old_text ? before.findIndex((edit) => edit.new_text.split(old_text).length === 2) : -1
  const earlier = before[at]
  if (!earlier || !old_text) return [...before, { ...(old_text !== undefined && { old_text }), new_text }]
  // A function, because `$` would mean something in a text.
  return before.with(at, { ...earlier, new_text: earlier.new_text.replace(old_text, () => new_text) })
}
