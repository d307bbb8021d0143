import { isMap, isNode, isScalar, isSeq, type Pair, type YAMLMap, type YAMLSeq } from 'yaml'
import { careful, isObject, type Path, styleOf, type TextFormat, unclear, withoutLines } from './text-format.ts'
import { documentOf } from './yaml-document.ts'
import { headOf, lineEnd, lineStart, withBrackets, withoutBrackets } from './yaml-lines.ts'

/** YAML, where entries are items of a list that say their name: each is read as the value of that name. */
export const yamlText: TextFormat = careful({ read, set, remove, setField })

interface Item {
  start: number
  end: number
}

function read(text: string): Record<string, unknown> {
  const value: unknown = documentOf(text).toJS() ?? {}
  if (!isObject(value)) throw unclear('holds no names and values')
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, byName(name, inner)]))
}

function set(text: string, path: Path, value: unknown): string {
  const { eol } = styleOf(text)
  const [list = '', name = ''] = path
  const found = listOf(text, list)
  const lines = (indent: string) => [`${indent}- name: ${name}`, ...fields(value).map((field) => `${indent}  ${field}`)]
  if (!found) {
    const gap = text.trim() === '' || text.endsWith('\n') ? '' : eol
    return `${text}${gap}${[`${list}:`, ...lines('  ')].join(eol)}${eol}`
  }
  const { items, indent, behind } = found
  if (items.size === 0) {
    const [head, rest] = [withoutBrackets(text.slice(0, behind), headOf(text, list, found.nameEnd)), text.slice(behind)]
    return head + eol + lines('  ').join(eol) + rest
  }
  const item = items.get(name)
  if (item) return text.slice(0, item.start) + lines(indent).join(eol) + text.slice(item.end)
  return text.slice(0, behind) + eol + lines(indent).join(eol) + text.slice(behind)
}

function remove(text: string, path: Path): string {
  const [list = '', name] = path
  const found = listOf(text, list)
  if (!found) return text
  if (name === undefined) return withoutLines(text, found.start, found.behind)
  const item = found.items.get(name)
  if (!item) return text
  const rest = withoutLines(text, item.start, item.end)
  return found.items.size === 1 ? withBrackets(rest, headOf(rest, list, found.nameEnd)) : rest
}

/** Every field of an item is on lines of its own. */
function setField(text: string, path: Path, name: string, value: unknown): string {
  const [list = '', item = ''] = path
  const map = listOf(text, list)?.maps.find((one) => nameIn(one) === item)
  const [first] = map?.items ?? []
  const from = first && isScalar(first.key) ? first.key.range?.[0] : undefined
  if (!map || map.flow || from === undefined) throw unclear(`has ${item} in another way than as lines`)
  const pair = pairOf(map, name)
  const start = pair && isScalar(pair.key) ? pair.key.range?.[0] : undefined
  const written = `${name}: ${JSON.stringify(value)}`
  if (!pair || start === undefined) {
    const end = lineEnd(text, text.slice(0, map.range?.[1]).trimEnd().length)
    const indent = ' '.repeat(from - lineStart(text, from))
    return `${text.slice(0, end)}${styleOf(text).eol}${indent}${written}${text.slice(end)}`
  }
  const end = text.slice(0, isNode(pair.value) ? pair.value.range?.[1] : start).trimEnd().length
  if (value !== undefined) return text.slice(0, start) + written + text.slice(end)
  if (start === from) throw unclear(`has ${name} on the line that begins ${item}`)
  return withoutLines(text, lineStart(text, start), lineEnd(text, end))
}

/** A list that has each of its items on lines of its own, and where they are. */
function listOf(text: string, name: string) {
  const { contents } = documentOf(text)
  if (contents === null) return undefined
  const pair = isMap(contents) ? pairOf(contents, name) : undefined
  if (!pair) return undefined
  const key = isScalar(pair.key) ? pair.key : undefined
  const seq = pair.value
  const isEmpty = seq === null || (isScalar(seq) && seq.value === null) || (isSeq(seq) && seq.items.length === 0)
  const start = lineStart(text, key?.range?.[0] ?? 0)
  if (key?.range && isEmpty)
    return {
      items: new Map<unknown, Item>(),
      maps: [],
      indent: '  ',
      behind: lineEnd(text, key.range[1]),
      start,
      nameEnd: key.range[1],
    }
  if (!key?.range || !isSeq(seq) || seq.flow) throw unclear(`has ${name} in another way than as a list of lines`)
  const places = seq.items.map((_, n) => placeOf(text, seq, n))
  const indent = /^[ \t]*/.exec(text.slice(places[0]?.start))?.[0] ?? ''
  const items = new Map(places.map((place, n) => [nameIn(seq.items[n]), place]))
  return {
    items,
    maps: seq.items.filter(isMap),
    indent,
    behind: places.at(-1)?.end ?? text.length,
    start,
    nameEnd: key.range[1],
  }
}

export function pairOf(map: YAMLMap, name: string): Pair | undefined {
  return map.items.find(({ key }) => isScalar(key) && key.value === name)
}

/** From the line with its dash to the end of its last line. */
function placeOf(text: string, seq: YAMLSeq, n: number): Item {
  const node = seq.items[n] as { range?: [number, number, number] }
  const [from = 0, to = 0] = node.range ?? []
  const start = lineStart(text, text.lastIndexOf('-', from))
  return { start, end: lineEnd(text, text.slice(0, to).trimEnd().length) }
}

function nameIn(item: unknown): unknown {
  return isMap(item) ? item.get('name') : undefined
}

/** Items that say no name of their own stay a list. */
function byName(list: string, value: unknown): unknown {
  if (!Array.isArray(value) || !value.every((item) => isObject(item) && typeof item.name === 'string')) return value
  const names = value.map(({ name }) => name)
  const twice = names.find((name, n) => names.indexOf(name) !== n)
  if (twice !== undefined) throw unclear(`has "${twice}" twice in ${list}`)
  return Object.fromEntries(value.map(({ name, ...rest }) => [name, rest]))
}

export function fields(value: unknown): string[] {
  return Object.entries(value as object).map(([name, inner]) => `${name}: ${JSON.stringify(inner)}`)
}
