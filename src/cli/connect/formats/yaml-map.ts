import { isMap, isNode, isScalar, type YAMLMap } from 'yaml'
import { careful, isObject, type Path, styleOf, type TextFormat, unclear, withoutLines } from './text-format.ts'
import { documentOf } from './yaml-document.ts'
import { headOf, lineEnd, lineStart, withBrackets, withoutBrackets } from './yaml-lines.ts'
import { fields, pairOf } from './yaml-text.ts'

/** YAML, where entries stand under their names. */
export const yamlMap: TextFormat = careful({ read, set, remove, setField })

/** From the name to the end of its value. */
interface Place {
  start: number
  end: number
}

function read(text: string): Record<string, unknown> {
  const value: unknown = documentOf(text).toJS() ?? {}
  if (!isObject(value)) throw unclear('holds no names and values')
  return value
}

function set(text: string, [outer = '', name = '']: Path, value: unknown): string {
  const { eol } = styleOf(text)
  const lines = (indent: string) =>
    [`${indent}${name}:`, ...fields(value).map((field) => `${indent}  ${field}`)].join(eol)
  const found = mapIn(text, outer)
  if (!found) {
    const gap = text.trim() === '' || text.endsWith('\n') ? '' : eol
    return `${text}${gap}${outer}:${eol}${lines('  ')}${eol}`
  }
  const { map, places, nameEnd, behind } = found
  if (!map) {
    const head = withoutBrackets(text.slice(0, behind), headOf(text, outer, nameEnd))
    return head + eol + lines('  ') + text.slice(behind)
  }
  const [from, to] = linesOf(text, places.get(name)) ?? [behind, behind]
  return text.slice(0, from) + (from === to ? eol : '') + lines(indentOf(text, places)) + text.slice(to)
}

function remove(text: string, [outer = '', name]: Path): string {
  const found = mapIn(text, outer)
  if (!found) return text
  const { places, start, behind, nameEnd } = found
  if (name === undefined) return withoutLines(text, start, behind)
  const lines = linesOf(text, places.get(name))
  if (!lines) return text
  const rest = withoutLines(text, ...lines)
  return places.size === 1 ? withBrackets(rest, headOf(rest, outer, nameEnd), '{}') : rest
}

function setField(text: string, [outer = '', name = '']: Path, field: string, value: unknown): string {
  const entry = mapIn(text, outer)?.map?.get(name)
  if (!isMap(entry) || entry.items.length === 0) throw inAnotherWay(name)
  const places = placesIn(text, entry, name)
  const there = places.get(field)
  const written = `${field}: ${JSON.stringify(value)}`
  if (there && value !== undefined) return text.slice(0, there.start) + written + text.slice(there.end)
  const lines = linesOf(text, there)
  if (lines) return withoutLines(text, ...lines)
  const end = lineEnd(text, Math.max(...[...places.values()].map((place) => place.end)))
  return text.slice(0, end) + styleOf(text).eol + indentOf(text, places) + written + text.slice(end)
}

/** What stands under a name; no map where that is nothing yet. */
function mapIn(text: string, name: string) {
  const { contents } = documentOf(text)
  const pair = isMap(contents) ? pairOf(contents, name) : undefined
  if (!pair || !isScalar(pair.key) || !pair.key.range) return undefined
  const { value } = pair
  const [from, nameEnd] = pair.key.range
  const start = lineStart(text, from)
  const isEmpty =
    value === null || (isScalar(value) && value.value === null) || (isMap(value) && value.items.length === 0)
  if (isEmpty) return { places: new Map<unknown, Place>(), start, nameEnd, behind: lineEnd(text, nameEnd) }
  if (!isMap(value)) throw inAnotherWay(name)
  const places = placesIn(text, value, name)
  const behind = lineEnd(text, Math.max(...[...places.values()].map(({ end }) => end)))
  return { map: value, places, start, nameEnd, behind }
}

function placesIn(text: string, map: YAMLMap, name: string): Map<unknown, Place> {
  if (map.flow) throw inAnotherWay(name)
  return new Map(
    map.items.map(({ key, value }) => {
      if (!isScalar(key) || !key.range) throw inAnotherWay(name)
      const [start, keyEnd] = key.range
      const end = isNode(value) && value.range ? Math.max(keyEnd, value.range[1]) : keyEnd
      return [key.value, { start, end: text.slice(0, end).trimEnd().length }]
    }),
  )
}

function linesOf(text: string, place: Place | undefined): [number, number] | undefined {
  return place && [lineStart(text, place.start), lineEnd(text, place.end)]
}

function indentOf(text: string, places: Map<unknown, Place>): string {
  const [{ start } = { start: 0 }] = places.values()
  return text.slice(lineStart(text, start), start)
}

function inAnotherWay(name: string) {
  return unclear(`has ${name} in another way than as names on lines of their own`)
}
