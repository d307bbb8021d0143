import { ParleyError } from '../errors.ts'
import { jsonIn } from '../text/json.ts'
import { between, type Mask, masksInJson, type Secrecy, secrecyOf, shownNames } from './json-strings.ts'
import { secretsIn } from './secret-shapes.ts'
import { isPlainValue, MASK, runsIn } from './token-runs.ts'

export { MASK } from './token-runs.ts'

/** No person edits what is nested deeper. */
const DEEPEST = 200
/** No secret of a text is shorter. */
const SHORTEST = MASK.length
const PATH_LENGTH = 200

/**
 * A text as it may be stored, which may be JSON, and how many secrets were in it. Everything else stays to the letter.
 */
export function maskedText(text: string): { text: string; count: number } {
  const { parts, count } = masksOf(text, undefined)
  return { text: withMasks(text, parts), count }
}

/**
 * What a person made of a masked value, with its secrets: each mask that still stands where it stood is the original
 * again. No secret can be taken to another place.
 */
export function unmasked(edited: unknown, original: unknown): unknown {
  return restored(edited, original, TOP)
}

interface Path {
  path: string
  depth: number
  secret?: Secrecy
}

const TOP: Path = { path: '', depth: 0 }

function masksOf(text: string, secret: Secrecy): { parts: Mask[]; count: number } {
  if (secret === undefined && text.length < SHORTEST) return { parts: [], count: 0 }
  if (isJson(text)) return masksInJson(text, secret, masksOf)
  const { parts, count } = secret && isPlainValue(text) ? allOf(text) : secretsIn(text)
  return { parts: parts.map((part) => ({ ...part, instead: MASK })), count }
}

function allOf(text: string) {
  const parts = runsIn(text, { from: 0, to: text.length })
  return { parts, count: parts.every(({ from, to }) => text.slice(from, to) === MASK) ? 0 : 1 }
}

function withMasks(text: string, parts: Mask[]): string {
  return between(text, parts)
    .map((piece, n) => piece + (parts[n]?.instead ?? ''))
    .join('')
}

function inside({ path, depth, secret }: Path, name: string | number): Path {
  const own = typeof name === 'number' ? undefined : secrecyOf(name)
  return { path: path === '' ? `${name}` : `${path}.${name}`, depth: depth + 1, secret: secret ?? own }
}

function restored(edited: unknown, original: unknown, place: Path): unknown {
  if (typeof edited === 'string') return restoredText(edited, original, place)
  if (typeof edited !== 'object' || edited === null) return edited
  if (place.depth >= DEEPEST) throw new ParleyError('invalid', { problem: 'The arguments are nested too deeply' })
  if (Array.isArray(edited)) {
    const before = Array.isArray(original) && original.length === edited.length ? original : []
    return edited.map((item, n) => restored(item, before[n], inside(place, n)))
  }
  const before = typeof original === 'object' && original !== null && !Array.isArray(original) ? original : {}
  const names = new Map(Array.from(shownNames(Object.keys(before)), ([name, instead]) => [instead, name]))
  return Object.fromEntries(
    Object.entries(edited).map(([instead, item]) => {
      const name = names.get(instead) ?? instead
      if (name === instead && name.includes(MASK) && !Object.hasOwn(before, name)) throw elsewhere(place)
      const was = Object.hasOwn(before, name) ? before[name as keyof typeof before] : undefined
      return [name, restored(item, was, inside(place, name))]
    }),
  )
}

function restoredText(edited: string, original: unknown, place: Path): unknown {
  if (typeof original === 'number' && place.secret === 'password' && edited === MASK) return original
  const { parts } = typeof original === 'string' ? masksOf(original, place.secret) : { parts: [] }
  if (typeof original === 'string' && edited === withMasks(original, parts)) return original
  if (!edited.includes(MASK)) return edited
  if (typeof original !== 'string' || place.secret) throw elsewhere(place)
  if (!isJson(original)) return restoredParts(edited, original, parts, place)
  if (!isJson(edited)) throw elsewhere(place)
  return JSON.stringify(restored(jsonIn(edited), jsonIn(original), { ...place, depth: place.depth + 1 }))
}

/** The first mask is the first secret of the text, and so on. */
function restoredParts(edited: string, original: string, parts: Mask[], place: Path): string {
  const pieces = edited.split(MASK)
  if (pieces.length !== parts.length + 1) throw elsewhere(place)
  const secrets = parts.map(({ from, to }) => original.slice(from, to))
  return pieces.map((piece, n) => (n === 0 ? piece : `${secrets[n - 1]}${piece}`)).join('')
}

function elsewhere({ path }: Path): ParleyError {
  const where = path === '' ? '' : ` in ${path.slice(0, PATH_LENGTH)}`
  const problem = `${MASK}${where} stands for no secret there; put it back where it was, or write a value in its place`
  return new ParleyError('invalid', { problem })
}

/** Whether a text is the JSON of an object, a list or a text. */
function isJson(text: string): boolean {
  if (!'[{"'.includes(text.trimStart()[0] ?? ' ')) return false
  const value = jsonIn(text)
  return typeof value === 'string' || (typeof value === 'object' && value !== null)
}
