import { ParleyError } from './errors.ts'
import { jsonIn } from './json.ts'
import { isPasswordName, isPlaceholder, isSecretName, MASK, type Part, secretsIn } from './secret-shapes.ts'

export { MASK } from './secret-shapes.ts'

/** What lies deeper is masked as a whole: nothing is stored unseen. */
const DEEPEST = 200
/** No secret is shorter. */
const SHORTEST = MASK.length
const PATH_LENGTH = 200

/** A value of JSON as it may be stored: without secrets, and how many there were. */
export function masked(value: unknown): { value: unknown; count: number } {
  const counter = { count: 0 }
  return { value: shown(value, counter), count: counter.count }
}

/** The same for a text, which may be JSON. One without secrets stays as it is, to the letter. */
export function maskedText(text: string): { text: string; count: number } {
  const counter = { count: 0 }
  return { text: shownText(text, counter, 0), count: counter.count }
}

/**
 * What a person made of a masked value, with its secrets: each mask that still stands where it stood is the original
 * again. No secret can be taken to another place.
 */
export function unmasked(edited: unknown, original: unknown): unknown {
  return restored(edited, original, TOP)
}

interface Counter {
  count: number
}

interface Place {
  path: string
  depth: number
  /** Of a field that has the name of a secret: everything in it is one. */
  secret?: 'text' | 'password'
}

const TOP: Place = { path: '', depth: 0 }

function shown(value: unknown, counter: Counter, place: Place = TOP): unknown {
  if (typeof value === 'string') return place.secret ? hidden(value, counter) : shownText(value, counter, place.depth)
  if (typeof value === 'number') return place.secret === 'password' ? hidden(value, counter) : value
  if (typeof value !== 'object' || value === null) return value
  if (place.depth >= DEEPEST) return hidden(value, counter)
  if (Array.isArray(value)) return value.map((item, n) => shown(item, counter, inside(place, n)))
  const names = shownNames(value, counter)
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [names.get(name) ?? name, shown(item, counter, inside(place, name))]),
  )
}

function shownText(text: string, counter: Counter, depth: number): string {
  if (text.length < SHORTEST) return text
  const json = valueIn(text)
  if (json === undefined) return withoutSecrets(text, counter)
  const before = counter.count
  const value = shown(json, counter, { path: '', depth: depth + 1 })
  return counter.count === before ? text : JSON.stringify(value)
}

function withoutSecrets(text: string, counter: Counter): string {
  const parts = secretsIn(text)
  counter.count += parts.filter(({ from, to }) => text.slice(from, to) !== MASK).length
  return between(text, parts).join(MASK)
}

/** A secret that is stored already was one only the first time. */
function hidden(value: unknown, counter: Counter): unknown {
  if (typeof value === 'string' && isPlaceholder(value)) return value
  if (value !== MASK) counter.count += 1
  return MASK
}

/** What the names that hold secrets become; no two of them the same. */
function shownNames(object: object, counter: Counter): Map<string, string> {
  const secret = Object.keys(object).filter((name) => name.length >= SHORTEST && secretsIn(name).length > 0)
  counter.count += secret.filter((name) => !name.startsWith(MASK)).length
  return new Map(secret.map((name, n) => [name, n === 0 ? MASK : `${MASK} ${n + 1}`]))
}

function inside({ path, depth, secret }: Place, name: string | number): Place {
  const own = typeof name === 'number' ? undefined : secrecyOf(name)
  return { path: path === '' ? `${name}` : `${path}.${name}`, depth: depth + 1, secret: secret ?? own }
}

function secrecyOf(name: string): Place['secret'] {
  if (!isSecretName(name)) return undefined
  return isPasswordName(name) ? 'password' : 'text'
}

function restored(edited: unknown, original: unknown, place: Place): unknown {
  if (typeof edited === 'string') return restoredText(edited, original, place)
  if (typeof edited !== 'object' || edited === null) return edited
  if (place.depth >= DEEPEST) throw new ParleyError('invalid', { problem: 'The arguments are nested too deeply' })
  if (Array.isArray(edited)) {
    const before = Array.isArray(original) && original.length === edited.length ? original : []
    return edited.map((item, n) => restored(item, before[n], inside(place, n)))
  }
  const before = typeof original === 'object' && original !== null && !Array.isArray(original) ? original : {}
  const names = new Map(Array.from(shownNames(before, { count: 0 }), ([name, instead]) => [instead, name]))
  return Object.fromEntries(
    Object.entries(edited).map(([instead, item]) => {
      const name = names.get(instead) ?? instead
      if (name === instead && name.includes(MASK) && !Object.hasOwn(before, name)) throw elsewhere(place)
      const was = Object.hasOwn(before, name) ? before[name as keyof typeof before] : undefined
      return [name, restored(item, was, inside(place, name))]
    }),
  )
}

function restoredText(edited: string, original: unknown, place: Place): unknown {
  if (edited === shown(original, { count: 0 }, place)) return original
  if (!edited.includes(MASK)) return edited
  if (typeof original !== 'string' || place.secret) throw elsewhere(place)
  const json = valueIn(original)
  if (json === undefined) return restoredParts(edited, original, place)
  const value = valueIn(edited)
  if (value === undefined) throw elsewhere(place)
  return JSON.stringify(restored(value, json, { ...place, depth: place.depth + 1 }))
}

/** The first mask is the first secret of the text, and so on. */
function restoredParts(edited: string, original: string, place: Place): string {
  const secrets = secretsIn(original).map(({ from, to }) => original.slice(from, to))
  const pieces = edited.split(MASK)
  if (pieces.length !== secrets.length + 1) throw elsewhere(place)
  return pieces.map((piece, n) => (n === 0 ? piece : `${secrets[n - 1]}${piece}`)).join('')
}

function elsewhere({ path }: Place): ParleyError {
  const where = path === '' ? '' : ` in ${path.slice(0, PATH_LENGTH)}`
  const problem = `${MASK}${where} stands for no secret there; put it back where it was, or write a value in its place`
  return new ParleyError('invalid', { problem })
}

/** What is before, between and after parts of a text. */
function between(text: string, parts: Part[]): string[] {
  return [...parts, { from: text.length }].map(({ from }, n) => text.slice(parts[n - 1]?.to ?? 0, from))
}

/** The object, list or text that a text is the JSON of. */
function valueIn(text: string): object | string | undefined {
  if (!'[{"'.includes(text.trimStart()[0] ?? ' ')) return undefined
  const value = jsonIn(text)
  return typeof value === 'string' || (typeof value === 'object' && value !== null) ? value : undefined
}
