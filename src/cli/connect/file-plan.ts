import { attempt } from '../../io/attempt.ts'
import { openConfigFile } from './config-file.ts'
import { ifUnclear } from './formats/text-format.ts'
import type { Part } from './parts.ts'

/** A file and what of Parley's is to be in it. */
export interface FilePlan {
  path: string
  parts: Part[]
}

/** What a file holds now, and what it would hold; the same where there is nothing to do. */
export interface Outlook {
  path: string
  now: string
  next: string
}

export function outlookOfPutting({ path, parts }: FilePlan): Outlook {
  const now = openConfigFile(path).text() ?? ''
  return { path, now, next: put(parts, now) }
}

export function outlookOfTaking(plan: FilePlan): Outlook {
  const file = openConfigFile(plan.path)
  const now = file.text()
  return {
    path: plan.path,
    now: now ?? '',
    next: now === undefined ? '' : left(plan, now, foreign(plan, file.before())),
  }
}

export function putIn(plan: FilePlan): void {
  const isForeign = (text: string) => foreign(plan, text) !== undefined
  openConfigFile(plan.path).change((text) => put(plan.parts, text), isForeign)
}

/** Leaves the file as it was before, byte for byte, or takes only its own out where others have changed it since. */
export function takeOut(plan: FilePlan): void {
  const file = openConfigFile(plan.path)
  file.takeBack((text) => {
    const before = foreign(plan, file.before())
    const rest = left(plan, text, before)
    return rest !== text && before === undefined && isNothing(rest) ? undefined : rest
  })
}

function put(parts: Part[], text: string): string {
  return parts.reduce((all, part) => part.put(all), text)
}

/** A text that shows how the file is without Parley: one that can be read, and has nothing of the first part in it. */
function foreign({ parts: [first] }: FilePlan, text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  return attempt(() => (first?.isIn(text) ? undefined : text), ifUnclear)
}

function left({ parts }: FilePlan, text: string, before: string | undefined): string {
  // Without the first, the others are somebody's own.
  if (!parts[0]?.isIn(text)) return text
  const own = parts.filter((part) => part.isIn(text))
  if (before !== undefined && own.reduce((all, part) => part.copy(text, all), before) === text) return before
  return own.reduce((all, part) => part.take(all, before), text)
}

function isNothing(text: string): boolean {
  return /^(?:\{\s*\})?$/.test(text.trim())
}
