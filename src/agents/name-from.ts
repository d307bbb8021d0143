import { hash } from 'node:crypto'
import { NAME, problemInName, trimmedName } from '../protocol/text/name.ts'

/** A name that the hub takes, as near as can be to what an agent calls something; two of them never become one. */
export function nameFrom(text: string, otherwise: string): string {
  const name = trimmedName(text)
  if (name === '') return otherwise
  if (problemInName(name) === undefined) return name
  const end = hash('sha256', text).slice(0, 16)
  return `${name.replace(/\p{Cc}+/gu, ' ').slice(0, NAME.longest - end.length - 1)}-${end}`
}
