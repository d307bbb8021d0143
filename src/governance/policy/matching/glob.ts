export { literally } from '../../../protocol/text/literally.ts'

export interface Glob {
  fits(text: string): boolean
  /** The only text that fits, where there is only one. */
  literal?: string
}

/** Texts that fit a pattern: `*` is any run of characters, `?` one of them, and `\` makes the next one plain. */
export function compileGlob(pattern: string): Glob {
  const runs = runsIn(pattern)
  if (runs.some((run) => run.includes(ANY))) return { fits: (text) => fitsRuns(runs, [...text], isUnit) }
  const pieces = runs.map((run) => run.join(''))
  const [first = '', ...rest] = pieces
  const last = rest.pop()
  if (last === undefined) return { fits: (text) => text === first, literal: first }
  return { fits }

  function fits(text: string): boolean {
    const end = text.length - (last as string).length
    if (end < first.length || !text.startsWith(first) || !text.endsWith(last as string)) return false
    let from = first.length
    for (const piece of rest) {
      const found = text.indexOf(piece, from)
      if (found === -1 || found + piece.length > end) return false
      from = found + piece.length
    }
    return true
  }
}

/** What keeps a pattern from meaning anything, or from meaning what it seems to. */
export function problemInGlob(pattern: string): string | undefined {
  if (pattern === '') return 'must not be empty'
  if (pattern.length > LONGEST) return `is longer than ${LONGEST} characters`
  if (pattern.startsWith('!')) return 'begins with "!"; write \\\\! for the character, or use "not" in "arguments"'
  const plain = pattern.replace(/\\./gs, '')
  if (plain.endsWith('\\')) return 'ends with a backslash that makes nothing plain'
  const unknown = /[[{]/.exec(plain)
  if (unknown)
    return `has a "${unknown[0]}", which is not a wildcard here; write \\\\${unknown[0]} for the character, or a list of patterns`
  return undefined
}

/**
 * Whether runs of units follow each other in the items, with anything between two of them; the first one begins at the
 * first item, the last one ends at the last. The leftmost place is always right, so that nothing is tried twice.
 */
export function fitsRuns<Unit, Item>(
  runs: readonly (readonly Unit[])[],
  items: readonly Item[],
  fits: (unit: Unit, item: Item) => boolean,
): boolean {
  const first = runs[0] as readonly Unit[]
  if (!fitsAt(first, items, 0, fits)) return false
  if (runs.length === 1) return items.length === first.length
  const last = runs[runs.length - 1] as readonly Unit[]
  const end = items.length - last.length
  if (end < first.length || !fitsAt(last, items, end, fits)) return false
  let from = first.length
  for (let n = 1; n < runs.length - 1; n++) {
    const run = runs[n] as readonly Unit[]
    while (from + run.length <= end && !fitsAt(run, items, from, fits)) from++
    from += run.length
    if (from > end) return false
  }
  return true
}

function fitsAt<Unit, Item>(
  run: readonly Unit[],
  items: readonly Item[],
  at: number,
  fits: (unit: Unit, item: Item) => boolean,
): boolean {
  if (at + run.length > items.length) return false
  // The comparison begins at the end, because texts and paths that differ often begin alike.
  for (let n = run.length - 1; n >= 0; n--) if (!fits(run[n] as Unit, items[at + n] as Item)) return false
  return true
}

const LONGEST = 1000
/** Stands for one character, whatever it is. */
const ANY = null
type Unit = string | typeof ANY

function isUnit(unit: Unit, character: string): boolean {
  return unit === ANY || unit === character
}

/** The characters between its stars. */
function runsIn(pattern: string): Unit[][] {
  const runs: Unit[][] = [[]]
  const characters = [...pattern]
  for (let n = 0; n < characters.length; n++) {
    const character = characters[n] as string
    if (character === '*') runs.push([])
    else if (character === '?') runs.at(-1)?.push(ANY)
    else runs.at(-1)?.push(character === '\\' ? (characters[++n] ?? '') : character)
  }
  return runs
}
