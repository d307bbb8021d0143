import { parse, TomlError } from 'smol-toml'
import { careful, isObject, type Path, styleOf, type TextFormat, unclear, valueAt } from './text-format.ts'

interface Table {
  /** The names in its head. */
  path: string[]
  start: number
  /** Behind the line of its head. */
  bodyStart: number
  end: number
}

/** Strings, comments, brackets and line ends: everything else cannot be mistaken for the head of a table. */
const TOKEN = /"""(?:\\[\s\S]|[^\\])*?"{3,5}|'''[\s\S]*?'{3,5}|"(?:\\.|[^"\\\n])*"|'[^'\n]*'|#[^\n]*|[[\]{}]|\n/g

/** TOML, where an entry is a table with the tables in it. */
export const tomlText: TextFormat = careful({ read, set, remove, setField })

function read(text: string): Record<string, unknown> {
  try {
    return parse(text.replace(/^\ufeff/, ''), { integersAsBigInt: 'asNeeded' }) as Record<string, unknown>
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    throw unclear(`is not valid (line ${error.line})`)
  }
}

function set(text: string, path: Path, value: unknown): string {
  const { eol } = styleOf(text)
  const table = [head(path), ...Object.entries(value as object).map(line)].join(eol) + eol
  const own = tablesAt(text, path)
  const [first] = own
  if (!first) {
    if (valueAt(read(text), path) !== undefined) throw unclear(`has ${path.join('.')} in another way than as a table`)
    const gap = text.trim() === '' ? '' : text.endsWith('\n') ? eol : eol + eol
    return `${text}${gap}${table}`
  }
  const { start, end } = first
  const rest = cut(text, own.slice(1))
  return `${rest.slice(0, start)}${rest[end - 1] === '\n' ? table : table.trimEnd()}${rest.slice(end)}`
}

function remove(text: string, path: Path): string {
  return cut(text, tablesAt(text, path))
}

/** Every field of a table is on lines of its own. */
function setField(text: string, path: Path, name: string, value: unknown): string {
  const { eol } = styleOf(text)
  const [table] = tablesAt(text, path).filter((one) => one.path.length === path.length)
  if (!table) throw unclear(`has ${path.join('.')} in another way than as a table`)
  const fields = fieldsIn(text, table)
  const field = fields.find((one) => one.name === name)
  if (field && value === undefined) return text.slice(0, field.start) + text.slice(field.next)
  if (field) return text.slice(0, field.start) + line([name, value]) + text.slice(field.end)
  const end = fields.at(-1)?.next ?? table.bodyStart
  const gap = text[end - 1] === '\n' ? '' : eol
  return `${text.slice(0, end)}${gap}${line([name, value])}${eol}${text.slice(end)}`
}

/** Where the fields of a table are, without what is said behind them, and where the next line begins. */
function fieldsIn(text: string, { bodyStart, end }: Table) {
  const body = text.slice(bodyStart, end)
  const fields: { name: string | undefined; start: number; end: number; next: number }[] = []
  let [depth, start] = [0, 0]
  let comment: number | undefined
  const finish = (next: number) => {
    const words = body.slice(start, comment ?? next).trimEnd()
    if (words.trim() !== '') {
      const [name] = Object.keys(read(words))
      fields.push({ name, start: bodyStart + start, end: bodyStart + start + words.length, next: bodyStart + next })
    }
    start = next
    comment = undefined
  }
  for (const { 0: token, index } of body.matchAll(TOKEN)) {
    if (token === '[' || token === '{') depth++
    else if (token === ']' || token === '}') depth--
    else if (depth > 0) continue
    else if (token === '\n') finish(index + 1)
    else if (token.startsWith('#')) comment = index
  }
  finish(body.length)
  return fields
}

/** A table and those in it. */
function tablesAt(text: string, path: Path): Table[] {
  return tablesIn(text).filter((table) => path.every((name, n) => table.path[n] === name))
}

function tablesIn(text: string): Table[] {
  const heads: { at: number; end: number }[] = []
  let depth = 0
  let lineStart = 0
  TOKEN.lastIndex = 0
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === '\n') lineStart = index + 1
    else if (token === '[' || token === '{') {
      if (
        token === '[' &&
        depth === 0 &&
        text
          .slice(lineStart, index)
          .trim()
          .replace(/^\ufeff/, '') === ''
      ) {
        const end = text.indexOf('\n', index)
        heads.push({ at: index, end: end < 0 ? text.length : end })
      }
      depth++
    } else if (token === ']' || token === '}') depth--
  }
  return heads.map(({ at, end }, n) => {
    const next = heads[n + 1]?.at ?? text.length
    const bodyStart = Math.min(end + 1, text.length)
    return { path: namesIn(text.slice(at, end)), start: at, bodyStart, end: endOf(text, end, next) }
  })
}

/** Behind its last value: comments and empty lines there are about something else. */
function endOf(text: string, from: number, to: number): number {
  let end = to
  for (;;) {
    const before = text.lastIndexOf('\n', end - 1)
    if (before < from || !/^[ \t\r]*(?:#|$)/.test(text.slice(before + 1, end))) break
    end = before
  }
  return Math.min(end + 1, text.length)
}

function namesIn(head: string): string[] {
  const names: string[] = []
  let inner: unknown = read(`${head}\n`)
  while (inner !== undefined) {
    const table = Array.isArray(inner) ? inner[0] : inner
    const [name] = isObject(table) ? Object.keys(table) : []
    if (name === undefined || !isObject(table)) break
    names.push(name)
    inner = table[name]
  }
  return names
}

/** Without the tables, and without the empty lines that parted them from others. */
function cut(text: string, tables: Table[]): string {
  return tables.toReversed().reduce((rest, { start, end }) => {
    const [before, after] = [rest.slice(0, start), rest.slice(end)]
    if (after === '') return before.replace(/(\n)\r?\n$/, '$1')
    return before + (/(?:^|\n\r?\n)$/.test(before) ? after.replace(/^\r?\n/, '') : after)
  }, text)
}

function head(path: Path): string {
  return `[${path.map(bare).join('.')}]`
}

function line([name, value]: [string, unknown]): string {
  return `${bare(name)} = ${written(value)}`
}

function written(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(written).join(', ')}]`
  if (!isObject(value)) return JSON.stringify(value)
  const members = Object.entries(value).map(line)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

function bare(name: string): string {
  return /^[A-Za-z0-9_-]+$/.test(name) ? name : JSON.stringify(name)
}
