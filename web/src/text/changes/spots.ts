import type { Change } from './changes.ts'

/** How the lines of a change are counted: as its headings say, from the start of the file, or from the start of an edit. */
export interface Numbering {
  by: 'patch' | 'file' | 'edit'
  file?: string
}

/** The place of a line. */
export interface Spot {
  line?: number
  /** The place in words. */
  where: string
}

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)/
const FILE = /^(?:\+\+\+ (?:b\/)?|--- (?:a\/)?|\*\*\* (?:Update|Add|Delete) File: )([^\t]+)/

/** Finds where each line is, when it is asked for one after the other; a heading is nowhere. */
export function finderOf({ by, file }: Numbering): (line: Change) => Spot | undefined {
  let current = file
  let next = by === 'patch' ? undefined : { removed: 1, added: 1 }
  return ({ kind, text }) => {
    if (kind === 'place') return heading(text)
    // This line of a patch is about the line above it.
    if (text.startsWith('\\')) return undefined
    const side = kind === 'removed' ? 'removed' : 'added'
    const line = next?.[side]
    if (next && kind !== 'added') next.removed++
    if (next && kind !== 'removed') next.added++
    return { line, where: whereOf(side, line) }
  }

  function heading(text: string): undefined {
    const [, removed, added] = HUNK.exec(text) ?? []
    if (removed) next = { removed: Number(removed), added: Number(added) }
    else if (by === 'edit') next = { removed: 1, added: 1 }
    const named = FILE.exec(text)?.[1]
    if (!named) return
    if (named !== '/dev/null') current = named
    next = undefined
  }

  function whereOf(side: 'removed' | 'added', line: number | undefined): string {
    if (line === undefined) return current ?? 'the change'
    if (by !== 'edit') return current ? `${current}:${line}` : `line ${line}`
    const within = `line ${line} of the ${side === 'removed' ? 'old' : 'new'} text`
    return current ? `${current}, ${within}` : within
  }
}
