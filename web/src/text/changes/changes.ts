/** One line of a difference between two texts. */
export interface Change {
  kind: 'added' | 'removed' | 'same' | 'place'
  text: string
}

const PATCH = /^(?:diff --git |\*\*\* Begin Patch$|@@ -\d+(?:,\d+)? \+\d+|--- [^\n]+\n\+\+\+ )/m
/** Names of the file, not lines of it. */
const HEADING = /^(?:---|\+\+\+) |^(?:diff |index |@@|\*\*\* |(?:new|deleted) file |similarity |rename |Binary )/
const HUNK = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))?/
/** A patch says so at its start; looking further would cost more than it finds. */
const LOOKED_AT = 4000

export function isPatch(text: string): boolean {
  return PATCH.test(text.slice(0, LOOKED_AT))
}

/** Whether a patch is all that it is. */
export function beginsPatch(text: string): boolean {
  return PATCH.exec(text.slice(0, LOOKED_AT))?.index === 0
}

/** The lines of a patch. */
export function changesIn(patch: string): Change[] {
  // How many lines are left of what a heading announced, before and after: there, no `--- ` is a heading.
  let [before, after] = [0, 0]
  return patch.split('\n').map((text) => {
    const isHeading = HEADING.test(text) && (!/^[-+]/.test(text) || (before <= 0 && after <= 0))
    const kind = isHeading ? 'place' : kindOf(text)
    if (isHeading) {
      const [, old, fresh] = HUNK.exec(text) ?? [text, 0, 0]
      ;[before, after] = [Number(old ?? 1), Number(fresh ?? 1)]
    } else if (!text.startsWith('\\')) {
      if (kind !== 'added') before--
      if (kind !== 'removed') after--
    }
    return { kind, text }
  })
}

export function addedAndRemoved(changes: Change[]) {
  const count = (wanted: Change['kind']) => changes.filter(({ kind }) => kind === wanted).length
  return { added: count('added'), removed: count('removed') }
}

function kindOf(line: string): Change['kind'] {
  return line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : 'same'
}
