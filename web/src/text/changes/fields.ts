import { prettyJson } from '../../../../src/protocol/text/pretty-json.ts'
import { isRecord } from '../../../../src/protocol/text/record.ts'
import { visible } from '../visible.ts'
import { type Member, MOST_ARGUMENTS, membersOf } from './arguments.ts'

/** One argument to be edited, or all of them where they cannot be told apart. */
export interface Field {
  kind: 'text' | 'number' | 'boolean' | 'json' | 'all'
  name: string
  /** The value as the person finds it. */
  value: string
  member?: Member
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
/** A field for text would change these, or not show them. */
const UNFIT = /[^\P{Cc}\n\t]/u

export function fieldsOf(input: string): Field[] {
  const members = membersOf(input)
  if (members?.length && members.length <= MOST_ARGUMENTS) return members.map(fieldOf)
  return [{ kind: 'all', name: 'Arguments', value: visible(prettyJson(input) ?? input) }]
}

/** The problem with the value of a field; undefined when there is none. */
export function problemIn({ kind }: Field, value: string): string | undefined {
  if (kind === 'text' || kind === 'boolean') return undefined
  if (kind === 'number') return NUMBER.test(value.trim()) ? undefined : 'Write a number, such as 3 or 0.5'
  try {
    const isObject = isRecord(JSON.parse(value))
    return kind === 'all' && !isObject ? 'Write the arguments as a JSON object: { … }' : undefined
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const [, line, column] = /line (\d+) column (\d+)/.exec(error.message) ?? []
    return line ? `Invalid JSON at line ${line}, column ${column}` : 'Invalid JSON'
  }
}

/** The arguments with what stands in the fields now; undefined when that says what they said. */
export function joined(fields: Field[], values: string[]): string | undefined {
  const now = fields.map((field, place) => jsonOf(field, values[place] ?? field.value))
  if (fields.every((field, place) => now[place] === field.member?.value || isSame(field, now[place] ?? ''))) {
    return undefined
  }
  if (fields[0]?.kind === 'all') return now[0]
  return `{${fields.map(({ member }, place) => `${member?.name}:${now[place]}`).join(',')}}`
}

function fieldOf(member: Member): Field {
  const { value } = member
  const common = { name: visible(String(JSON.parse(member.name))), member }
  if (value === 'true' || value === 'false') return { ...common, kind: 'boolean', value }
  if (NUMBER.test(value)) return { ...common, kind: 'number', value }
  const text = value.startsWith('"') ? String(JSON.parse(value)) : undefined
  const isFit = text !== undefined && visible(text) === text && !UNFIT.test(text) && text.isWellFormed()
  return isFit
    ? { ...common, kind: 'text', value: text }
    : { ...common, kind: 'json', value: visible(prettyJson(value) ?? value) }
}

/** Untouched fields stay as they were written, to the last digit. */
function jsonOf({ kind, value, member }: Field, now: string): string {
  if (now === value && member) return member.value
  return kind === 'text' ? JSON.stringify(now) : now.trim()
}

function isSame({ value, kind }: Field, now: string): boolean {
  return kind !== 'text' && prettyJson(now) === prettyJson(value)
}
