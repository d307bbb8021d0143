import { attempt } from '../../io/attempt.ts'
import { openConfigFile } from './config-file.ts'
import { mustStayIn, named, naming } from './file-text.ts'
import { ifUnclear } from './formats/text-format.ts'
import { sweep } from './leftovers.ts'
import type { Note } from './note.ts'
import type { Part } from './parts.ts'

/** A file and what of Parley's may be in it. */
export interface FilePlan {
  path: string
  /** Whether the client keeps its own state in it, and writes it all the time. */
  isState: boolean
  /** The project whose file it is: others may have made its links. */
  project?: string
  parts: Part[]
  /** Those that are to be in it. */
  wanted: Part[]
}

/** What a file holds now, and what it would hold; the same where there is nothing to do. */
export interface Outlook {
  path: string
  now: string
  next: string
}

export function outlookOfPutting(plan: FilePlan): Outlook {
  const { path, isState, project } = plan
  return naming(path, () => {
    const file = openConfigFile(path, isState)
    const { text: now = '', note } = file.seen()
    const next = put(plan, now, note)
    if (next !== now && project !== undefined) mustStayIn(project, path)
    if (next !== now && isSecret(plan)) file.mustBePrivate()
    return { path, now, next }
  })
}

export function outlookOfTaking(plan: FilePlan): Outlook {
  const { path, isState, project } = plan
  return naming(path, () => {
    const file = openConfigFile(path, isState)
    const { text: now, note } = file.seen()
    const next = now === undefined ? '' : left(plan, now, note, foreign(plan, file.before(), note))
    if (next !== (now ?? '') && project !== undefined) mustStayIn(project, path)
    return { path, now: now ?? '', next }
  })
}

export async function putIn(plan: FilePlan): Promise<void> {
  await sweep(plan.path)
  const file = openConfigFile(plan.path, plan.isState)
  if (isSame(outlookOfPutting(plan)) && file.text() !== undefined) return
  const change = file.change((now, note) => {
    const isForeign = now !== undefined && foreign(plan, now, note) !== undefined
    const isMade = now === undefined || (note.isMade && !isForeign)
    const text = put(plan, now ?? '', note)
    const isAsBefore = text === now
    return {
      text,
      note: { isMade, written: notedIn(plan, now ?? '', note) },
      isForeign,
      isSecret: !isAsBefore && isSecret(plan),
    }
  })
  await change.catch(named(plan.path))
}

/** Leaves the file as it was before, byte for byte, or takes only its own out where others have changed it since. */
export async function takeOut(plan: FilePlan): Promise<void> {
  await sweep(plan.path)
  const file = openConfigFile(plan.path, plan.isState)
  if (isSame(outlookOfTaking(plan)) && isEmpty(file.seen().note) && file.before() === undefined) return
  if (plan.project !== undefined) mustStayIn(plan.project, plan.path)
  const change = file.takeBack((now, note) => {
    const before = foreign(plan, file.before(), note)
    const rest = now === undefined ? undefined : left(plan, now, note, before)
    const isGone = rest === undefined || (rest !== now && note.isMade && isNothing(rest))
    const ours = new Set(plan.parts.map(({ place }) => place))
    const others = Object.entries(note.written).filter(([place]) => !ours.has(place))
    return { text: isGone ? undefined : rest, note: { isMade: note.isMade, written: Object.fromEntries(others) } }
  })
  await change.catch(named(plan.path))
}

function isSame({ now, next }: Outlook): boolean {
  return now === next
}

function put({ wanted }: FilePlan, text: string, { written }: Note): string {
  return wanted.reduce((all, part) => part.put(all, written[part.place] ?? []), text)
}

function notedIn({ wanted }: FilePlan, text: string, { written }: Note): Note['written'] {
  const own = wanted.map((part) => [part.place, part.noted(text, written[part.place] ?? [])] as const)
  const all = { ...written, ...Object.fromEntries(own.map(([place, value]) => [place, [value]])) }
  return Object.fromEntries(Object.entries(all).filter(([, [value]]) => value !== undefined))
}

/** A text that shows how the file is without Parley: one that can be read, and has nothing of it in it. */
function foreign({ parts }: FilePlan, text: string | undefined, { written }: Note): string | undefined {
  if (text === undefined) return undefined
  const isIn = () => parts.some((part) => part.isIn(text, written[part.place] ?? []))
  return attempt(() => (isIn() ? undefined : text), ifUnclear)
}

function left({ parts }: FilePlan, text: string, { written }: Note, before: string | undefined): string {
  const own = parts.filter((part) => part.isIn(text, written[part.place] ?? []))
  if (own.length === 0) return text
  if (before !== undefined && own.reduce((all, part) => part.copy(text, all), before) === text) return before
  return own.reduce((all, part) => part.take(all, before), text)
}

function isSecret({ wanted }: FilePlan): boolean {
  return wanted.some((part) => part.isSecret)
}

function isEmpty({ written }: Note): boolean {
  return Object.keys(written).length === 0
}

function isNothing(text: string): boolean {
  return /^(?:\{\s*\})?$/.test(text.trim())
}
