import * as z from 'zod/mini'
import { code, sentence, table } from './markdown.ts'
import type { Commented } from './source-comments.ts'

/** A schema with a section of its own, to which others link. */
export interface Shape {
  name: string
  schema: z.ZodMiniType
  comments: Commented
}

/** The parts of a schema that tell its kind; `def` of zod, as far as it is used here. */
interface Definition {
  type: string
  shape?: Record<string, z.ZodMiniType>
  innerType?: z.ZodMiniType
  element?: z.ZodMiniType
  options?: z.ZodMiniType[]
  items?: z.ZodMiniType[]
  valueType?: z.ZodMiniType
  out?: z.ZodMiniType
  values?: unknown[]
  entries?: Record<string, string>
}

interface JsonSchema {
  type?: string
  pattern?: string
  maxLength?: number
  minimum?: number
  maximum?: number
  maxItems?: number
}

const ENTRY_ID = '^\\d{16}$'
const NAME_PATTERN = '^\\P{Cc}*$'
const WRAPPING = ['optional', 'nullable', 'nonoptional', 'readonly', 'default', 'prefault']

export type Words = ReturnType<typeof createWords>

interface WordsParts {
  shapes: Shape[]
  /** The page with the sections of the shapes. */
  home: string
  /** Sentences for fields that have no comment, by their names. */
  fields: Record<string, string>
}

/** Schemas in words and tables. Whatever it links to is remembered, and has to be given a section. */
export function createWords({ shapes, home, fields }: WordsParts) {
  const named = new Map(shapes.map((shape) => [shape.schema, shape]))
  const linked = new Set<Shape>()
  const unexplained = new Set<string>()
  const used = new Set<string>()
  return { fieldTable, typeOf, isShape: (schema: z.ZodMiniType) => named.has(schema), linked, check }

  /** Every field has a sentence, and every sentence a field. */
  function check() {
    const unused = Object.keys(fields).filter((name) => !used.has(name))
    if (unexplained.size > 0) throw new Error(`Without a sentence: ${[...unexplained].join(', ')}`)
    if (unused.length > 0) throw new Error(`Sentences that nothing needs: ${unused.join(', ')}`)
  }

  /** What is in an object: its fields, those of objects without a name among them. */
  function fieldTable(schema: z.ZodMiniType, comments?: Commented, where = ''): string {
    const rows = rowsOf(schema, comments, '', where)
    return rows.length === 0 ? 'Nothing.' : table(['field', 'type', '', 'meaning'], rows)
  }

  function rowsOf(schema: z.ZodMiniType, comments: Commented | undefined, before: string, where: string): string[][] {
    return Object.entries(definitionOf(schema).shape ?? {}).flatMap(([name, field]) => {
      const said = comments?.fields.get(name)
      const path = `${before}${name}`
      const { inner, isList } = withoutWrapping(field)
      const row = [
        code(path),
        typeOf(field),
        isOptional(field) ? 'optional' : '',
        aboutOf(field, said, `${where}.${path}`),
      ]
      const { type } = definitionOf(inner)
      if (type !== 'object' || named.has(inner)) return [row]
      return [row, ...rowsOf(inner, said, `${path}${isList ? '[]' : ''}.`, where)]
    })
  }

  function aboutOf(field: z.ZodMiniType, said: Commented | undefined, where: string): string {
    const about = descriptionOf(field) ?? said?.about
    if (about !== undefined) return sentence(about)
    if (definitionOf(field).type === 'literal' && /\.(type|kind)$/.test(where)) return ''
    const known = endsOf(where.replaceAll('[]', '')).find((end) => Object.hasOwn(fields, end))
    if (known !== undefined) used.add(known)
    else unexplained.add(where)
    return (known && fields[known]) ?? ''
  }

  function typeOf(schema: z.ZodMiniType): string {
    const shape = named.get(schema)
    if (shape) {
      linked.add(shape)
      return `[${shape.name}](${home}#${shape.name.toLowerCase()})`
    }
    const {
      type,
      innerType,
      element,
      options = [],
      items = [],
      valueType,
      out,
      values = [],
      entries = {},
    } = definitionOf(schema)
    if (innerType) return type === 'nullable' ? `${typeOf(innerType)} or ${code('null')}` : typeOf(innerType)
    if (out) return typeOf(out)
    if (element) return listOf(typeOf(element), jsonOf(schema).maxItems)
    if (valueType) return `object: ${typeOf(valueType)} by name`
    if (options.length > 0) return either(options.map(typeOf))
    if (items.length > 0) return `[${items.map(typeOf).join(', ')}]`
    if (type === 'literal') return either(values.map((value) => code(JSON.stringify(value))))
    if (type === 'enum') return either(Object.values(entries).map((value) => code(JSON.stringify(value))))
    return plainType(schema, type)
  }
}

/** `a.b.c`, `b.c` and `c`. */
function endsOf(where: string): string[] {
  const parts = where.split('.')
  return parts.map((_, n) => parts.slice(n).join('.'))
}

function plainType(schema: z.ZodMiniType, type: string): string {
  const json = jsonOf(schema)
  if (json.pattern === ENTRY_ID) return 'entry id'
  if (json.pattern === NAME_PATTERN) return 'name'
  if (type === 'string') return `text${json.maxLength === undefined ? '' : `, at most ${json.maxLength} characters`}`
  if (type === 'boolean') return '`true` or `false`'
  if (type === 'unknown' || type === 'any') return 'any JSON value'
  if (type !== 'number') return type
  const { minimum, maximum } = json
  const isBounded = maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER
  const from = minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER ? ` from ${minimum}` : ''
  return `${json.type === 'integer' ? 'whole number' : 'number'}${from}${isBounded ? ` to ${maximum}` : ''}`
}

function listOf(type: string, most: number | undefined): string {
  const several = type.replace(/^(text|name|entry id|object|number)(?=$|,)/, '$1s').replace(', at most', ' of at most')
  return most === undefined ? `list of ${several}` : `list of at most ${most} ${several}`
}

function either(all: string[]): string {
  const different = [...new Set(all)]
  return different.length < 2 ? different.join('') : `${different.slice(0, -1).join(', ')} or ${different.at(-1)}`
}

/** The options of a union of objects, and nothing of everything else. */
export function variantsOf(schema: z.ZodMiniType): z.ZodMiniType[] {
  return definitionOf(schema).options ?? []
}

/** The value of the field that tells the variants of a union apart. */
export function literalIn(schema: z.ZodMiniType, field: string): string {
  const found = definitionOf(schema).shape?.[field]
  const { values = [], entries = {} } = found ? definitionOf(found) : {}
  return [...values, ...Object.values(entries)].join(' or ')
}

/** An object without some of its fields. */
export function without(schema: z.ZodMiniType, field: string): z.ZodMiniType {
  const { [field]: _, ...shape } = definitionOf(schema).shape ?? {}
  return z.object(shape)
}

function definitionOf(schema: z.ZodMiniType): Definition {
  return schema._zod.def as unknown as Definition
}

function isOptional(schema: z.ZodMiniType): boolean {
  const { type, innerType } = definitionOf(schema)
  return type === 'optional' || (innerType !== undefined && type !== 'nonoptional' && isOptional(innerType))
}

function withoutWrapping(schema: z.ZodMiniType, isList = false): { inner: z.ZodMiniType; isList: boolean } {
  const { type, innerType, element } = definitionOf(schema)
  if (innerType && WRAPPING.includes(type)) return withoutWrapping(innerType, isList)
  return element ? withoutWrapping(element, true) : { inner: schema, isList }
}

/** What the schema itself says, which clients are told. */
function descriptionOf(schema: z.ZodMiniType): string | undefined {
  const { innerType } = definitionOf(schema)
  return z.globalRegistry.get(schema)?.description ?? (innerType && descriptionOf(innerType))
}

function jsonOf(schema: z.ZodMiniType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema
}
