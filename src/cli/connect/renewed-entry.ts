import { isDeepStrictEqual } from 'node:util'
import { isObject, unclear } from './formats/text-format.ts'
import { reachOf } from './reach.ts'
import { isToken, NAME, SESSION } from './server-entry.ts'

/** Whether an entry starts what was written, or leads there: one that somebody lets start something else is theirs. */
export function isOurs(entry: unknown, written: readonly unknown[]): boolean {
  const goal = goalOf(entry)
  return goal !== undefined && written.some((one) => isDeepStrictEqual(goalOf(one), goal))
}

/** An entry with what is wanted in the place of what was written before; all else in it is somebody's, and stays. */
export function renewed(
  there: Record<string, unknown>,
  wanted: Record<string, unknown>,
  written: readonly unknown[],
): Record<string, unknown> {
  const names = [...new Set([...Object.keys(there), ...Object.keys(wanted)])]
  const values = names.map((name) => {
    const before = written.map((one) => (isObject(one) ? one[name] : undefined))
    return [name, renewedValue(name, there[name], wanted[name], before)] as const
  })
  return Object.fromEntries(values.filter(([, value]) => value !== undefined))
}

/** Whoever made a project may have written the note, too: what they let the entry start or ask for is refused. */
export function mustBeHarmless(entry: Record<string, unknown>, wanted: Record<string, unknown>): void {
  const isHarmless = (name: string) => {
    const value = entry[name]
    return typeof value === 'number' || typeof value === 'boolean' || isDeepStrictEqual(unnamed(value), wanted[name])
  }
  const wrong = Object.keys(entry).find((name) => !isHarmless(name))
  if (wrong !== undefined)
    throw unclear(`has "${wrong}" in its entry "${NAME}" from somebody, which a project may not have; take it out`)
}

/** Without the name of a conversation among the variables. */
function unnamed(value: unknown): unknown {
  if (!isObject(value)) return value
  const { [SESSION]: _, ...others } = value
  return others
}

function renewedValue(name: string, there: unknown, wanted: unknown, written: unknown[]): unknown {
  const isWritten = written.some((one) => isDeepStrictEqual(one, there))
  // A token that no longer counts is of no use, whoever wrote it.
  if (there === undefined || isWritten || isToken(there)) return wanted
  if (!isObject(there)) return there
  if (isObject(wanted)) return renewed(there, wanted, written)
  if (!written.some(isObject)) return there
  // The client would not start with what belongs to the other kind of entry.
  if (Object.keys(renewed(there, {}, written)).length > 0)
    throw unclear(`has "${name}" in its entry "${NAME}" from somebody else, which does not go with this; take it out`)
  return undefined
}

function goalOf(entry: unknown) {
  const reach = reachOf(entry)
  if (!reach) return undefined
  return 'url' in reach ? { url: reach.url } : { command: reach.command, args: reach.args }
}
