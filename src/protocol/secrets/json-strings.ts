import { isPasswordName, isSecretName } from './secret-names.ts'
import { secretsIn } from './secret-shapes.ts'
import { MASK, type Masks, type Part } from './token-runs.ts'

/** The kind of a field whose name is that of a secret: everything in it is secret, in a password's also numbers. */
export type Secrecy = 'text' | 'password' | undefined

export interface Mask extends Part {
  /** What stands there instead; a number becomes a text. */
  instead: string
}

interface Name {
  name: string
  raw: Part
}

/** An object or list that is being read. */
interface Level {
  secret: Secrecy
  /** The names in an object. */
  names?: Name[]
  isName: boolean
  /** The secrecy of the next value. */
  own: Secrecy
}

type MasksOf = (text: string, secret: Secrecy) => Masks & { parts: Mask[] }

const NUMBER = /-?\d[\d.eE+-]*/y
const QUOTE = 0x22
const BACKSLASH = 0x5c

/** The masks in a JSON text, read in one pass at any depth: everything else stays to the letter. */
export function masksInJson(text: string, secret: Secrecy, masksOf: MasksOf): { parts: Mask[]; count: number } {
  const parts: Mask[] = []
  const levels: Level[] = []
  let count = 0
  for (let at = 0; at < text.length; at++) {
    const level = levels.at(-1)
    const own = level ? level.own : secret
    switch (text[at]) {
      case '{':
        levels.push({ secret: own, names: [], isName: true, own })
        break
      case '[':
        levels.push({ secret: own, isName: false, own })
        break
      case '}':
        maskNames(level?.names ?? [])
        levels.pop()
        break
      case ']':
        levels.pop()
        break
      case ',':
        if (level) level.isName = level.names !== undefined
        break
      case '"': {
        const raw = { from: at, to: endOfString(text, at) }
        const value = stringAt(text, raw)
        if (level?.isName) {
          level.names?.push({ name: value, raw })
          level.isName = false
          level.own = level.secret ?? secrecyOf(value)
        } else {
          take(raw, masksOf(value, own))
        }
        at = raw.to - 1
        break
      }
      default: {
        NUMBER.lastIndex = at
        const [number] = NUMBER.exec(text) ?? []
        if (number === undefined) break
        if (own === 'password') {
          parts.push({ from: at, to: at + number.length, instead: JSON.stringify(MASK) })
          count += 1
        }
        at += number.length - 1
      }
    }
  }
  return { parts: parts.toSorted((a, b) => a.from - b.from), count }

  function take(raw: Part, found: { parts: Mask[]; count: number }) {
    for (const part of placesIn(text, raw, found.parts)) parts.push(part)
    count += found.count
  }

  function maskNames(names: Name[]) {
    const shown = shownNames(names.map(({ name }) => name))
    for (const { name, raw } of names) {
      if (!shown.has(name)) continue
      const { parts, count } = secretsIn(name)
      take(raw, { parts: parts.map((part) => ({ ...part, instead: MASK })), count })
    }
  }
}

export function secrecyOf(name: string): Secrecy {
  if (!isSecretName(name)) return undefined
  return isPasswordName(name) ? 'password' : 'text'
}

/** What the names of an object become that hold secrets. One that would become the same as another stays as it is. */
export function shownNames(names: string[]): Map<string, string> {
  const shown = new Map<string, string>()
  const taken = new Set(names)
  for (const name of names) {
    if (name.length < MASK.length || shown.has(name)) continue
    const { parts } = secretsIn(name)
    if (parts.length === 0) continue
    const instead = between(name, parts).join(MASK)
    if (taken.has(instead)) continue
    taken.add(instead)
    shown.set(name, instead)
  }
  return shown
}

/** The text before, between and after the parts. */
export function between(text: string, parts: Part[]): string[] {
  return [...parts, { from: text.length }].map(({ from }, n) => text.slice(parts[n - 1]?.to ?? 0, from))
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; at++) {
    const unit = text.charCodeAt(at)
    if (unit === QUOTE) return at + 1
    if (unit === BACKSLASH) at += 1
  }
}

/** Most have no escapes, and stand there as they are. */
function stringAt(text: string, { from, to }: Part): string {
  const inside = text.slice(from + 1, to - 1)
  return inside.includes('\\') ? (JSON.parse(text.slice(from, to)) as string) : inside
}

/** Parts of a string of JSON, in the text that it is written in. */
function placesIn(text: string, { from }: Part, parts: Mask[]): Mask[] {
  let at = from + 1
  let read = 0
  return parts.map((part) => {
    const start = moveTo(part.from)
    return { from: start, to: moveTo(part.to), instead: JSON.stringify(part.instead).slice(1, -1) }
  })

  function moveTo(place: number): number {
    for (; read < place; read++) at += text[at] !== '\\' ? 1 : text[at + 1] === 'u' ? 6 : 2
    return at
  }
}
