import { isMap, isScalar, isSeq } from 'yaml'
import { careful, isObject, type ListFormat, type Path, styleOf, unclear, withoutLines } from './text-format.ts'
import { documentOf } from './yaml-document.ts'
import { headOf, lineEnd, lineStart, withBrackets, withoutBrackets } from './yaml-lines.ts'

/** YAML with lists of words, each on a line of its own. */
export const yamlList: ListFormat = careful({ read, set, remove, setField, add, drop })

function read(text: string): Record<string, unknown> {
  const value: unknown = documentOf(text).toJS() ?? {}
  if (!isObject(value)) throw unclear('holds no names and values')
  return value
}

function add(text: string, path: Path, item: unknown): string {
  const { eol } = styleOf(text)
  const found = listAt(text, path)
  if (!found) return set(text, path, [item])
  const { end, items, indent, head } = found
  if (items.length === 0) return `${withoutBrackets(text.slice(0, end), head)}${eol}  - ${word(item)}${text.slice(end)}`
  return `${text.slice(0, end)}${eol}${indent}- ${word(item)}${text.slice(end)}`
}

function drop(text: string, path: Path, item: unknown): string {
  const { items = [], head } = listAt(text, path) ?? {}
  const found = items.find(({ value }) => value === item)
  if (!found || !head) return text
  const rest = withoutLines(text, found.start, found.end)
  return items.length === 1 ? withBrackets(rest, head) : rest
}

function set(text: string, path: Path, value: unknown): string {
  const { eol } = styleOf(text)
  const gap = text.trim() === '' || text.endsWith('\n') ? '' : eol
  return `${text}${gap}${lines(path, value as unknown[]).join(eol)}${eol}`
}

function remove(text: string, path: Path): string {
  const { start = 0, end = 0 } = listAt(text, path) ?? {}
  return withoutLines(text, start, end)
}

function setField(): string {
  throw unclear('has a list where names are looked for')
}

/** Where a list is, from its name to the end of its last line, and where its items are. */
function listAt(text: string, [name = '']: Path) {
  const { contents } = documentOf(text)
  const pair = isMap(contents) ? contents.items.find(({ key }) => isScalar(key) && key.value === name) : undefined
  if (!pair || !isScalar(pair.key) || !pair.key.range) return undefined
  const { value } = pair
  const start = lineStart(text, pair.key.range[0])
  const head = headOf(text, name, pair.key.range[1])
  const isEmpty = value === null || (isScalar(value) && value.value === null)
  if (isEmpty || (isSeq(value) && value.items.length === 0))
    return { start, end: lineEnd(text, pair.key.range[1]), items: [], indent: '', head }
  if (!isSeq(value) || value.flow) throw unclear(`has ${name} in another way than as a list of lines`)
  const items = value.items.map((item) => {
    if (!isScalar(item) || !item.range) throw unclear(`has more than words in ${name}`)
    return { value: item.value, start: lineStart(text, item.range[0]), end: lineEnd(text, item.range[1]) }
  })
  const [indent = ''] = /^[ \t]*/.exec(text.slice(items[0]?.start)) ?? []
  return { start, end: items.at(-1)?.end ?? start, items, indent, head }
}

function lines([name]: Path, items: unknown[]): string[] {
  return [`${name}:`, ...items.map((item) => `  - ${word(item)}`)]
}

function word(item: unknown): string {
  return /^[a-z_]+$/.test(String(item)) ? String(item) : JSON.stringify(item)
}
