import { isDeepStrictEqual } from 'node:util'
import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import { jsonIn } from '../../../protocol/text/json.ts'
import { remembered } from './remembered.ts'
import { careful, indentAt, isObject, type ListFormat, type Path, styleOf, unclear, wrapped } from './text-format.ts'

interface Change {
  at: number
  /** The number of characters that go. */
  length: number
  text: string
}

const MARK = '\ufeff'
/** What may stand between a value and the next one. */
const TRIVIA = /[ \t]+|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/|\r?\n|,/y

/** JSON as its client reads it: with comments and commas at the end of a list, or strictly without. */
export function jsonText({ comments }: { comments: boolean }): ListFormat {
  const treeOf = remembered(1, parsed)
  return careful({ read, set, remove, setField, add, drop })

  function read(text: string): Record<string, unknown> {
    // A tree takes thirty times as long, and says more than is asked for here.
    const value = jsonIn(unmarked(text))
    return isObject(value) ? value : (objectOf(treeOf(text)) ?? {})
  }

  function set(text: string, path: Path, value: unknown): string {
    const root = treeOf(text)
    // Blanks in front of an object are its indentation when the text is read again.
    const { eol, unit } = styleOf(root ? text : `${text}{`)
    if (!root) return `${text}${JSON.stringify(wrapped(path, value), null, unit).replaceAll('\n', eol)}${eol}`
    const { object, rest } = reach(root, path)
    const [name = '', ...inner] = rest
    const taken = memberOf(object, name)?.children?.[1]
    const base = taken ? indentAt(text, taken.offset) : memberIndent(text, object, unit)
    const isFlat = isOnOneLine(text, object)
    const written = (wanted: unknown) =>
      isFlat ? JSON.stringify(wanted) : JSON.stringify(wanted, null, unit).replaceAll('\n', `${eol}${base}`)
    if (taken) return changed(text, [{ at: taken.offset, length: taken.length, text: written(value) }])
    const member = `${JSON.stringify(name)}:${isFlat ? '' : ' '}${written(wrapped(inner, value))}`
    return changed(text, inserting(text, object, member, { eol, base, isFlat }))
  }

  function add(text: string, path: Path, item: unknown): string {
    const list = listAt(text, path)
    if (!list) return set(text, path, [item])
    const { eol, unit } = styleOf(text)
    const base = memberIndent(text, list, unit)
    return changed(text, inserting(text, list, JSON.stringify(item), { eol, base, isFlat: isOnOneLine(text, list) }))
  }

  function drop(text: string, path: Path, item: unknown): string {
    const list = listAt(text, path)
    const found = list?.children?.find((child) => isDeepStrictEqual(told(child), item))
    return list && found ? changed(text, removing(text, list, found)) : text
  }

  function listAt(text: string, path: Path): Node | undefined {
    const root = treeOf(text)
    const { object, rest } = root ? reach(root, path) : { object: undefined, rest: path }
    const list = object && rest.length === 1 ? memberOf(object, rest[0] ?? '')?.children?.[1] : undefined
    if (list && list.type !== 'array') throw unclear(`has something else than a list under "${path.at(-1)}"`)
    return list
  }

  function remove(text: string, path: Path): string {
    const root = treeOf(text)
    const { object, rest } = root ? reach(root, path) : { object: undefined, rest: path }
    const member = object && rest.length === 1 ? memberOf(object, rest[0] ?? '') : undefined
    return object && member ? changed(text, removing(text, object, member)) : text
  }

  function setField(text: string, path: Path, name: string, value: unknown): string {
    return value === undefined ? remove(text, [...path, name]) : set(text, [...path, name], value)
  }

  function parsed(text: string): Node | undefined {
    const body = unmarked(text)
    if (body.trim() === '') return undefined
    const errors: ParseError[] = []
    const root = parseTree(body, errors, { disallowComments: !comments, allowTrailingComma: comments })
    const [error] = errors
    if (error) throw unclear(`is not valid (line ${lineOf(text, error.offset)}: ${inWords(error)})`)
    if (root?.type !== 'object') throw unclear('holds no object')
    return root
  }
}

/** `CloseBraceExpected` is for programs. */
function inWords({ error }: ParseError): string {
  return printParseErrorCode(error)
    .replaceAll(/\B[A-Z]/g, (letter) => ` ${letter}`)
    .toLowerCase()
}

function unmarked(text: string): string {
  return text.startsWith(MARK) ? ` ${text.slice(1)}` : text
}

/** The innermost object on the way that is there, and the names that lead on from it. */
function reach(root: Node, path: Path): { object: Node; rest: Path } {
  const [name = '', ...rest] = path
  const inner = memberOf(root, name)?.children?.[1]
  if (!inner || rest.length === 0) return { object: root, rest: path }
  if (inner.type !== 'object') throw unclear(`has something else than an object under "${name}"`)
  return reach(inner, rest)
}

function memberOf({ children = [] }: Node, name: string): Node | undefined {
  const found = children.filter(({ children: [key] = [] }) => key?.value === name)
  if (found.length > 1) throw unclear(`has "${name}" twice`)
  return found[0]
}

/** Members come behind the last one, and behind what is said about it on its line. */
function inserting(
  text: string,
  object: Node,
  member: string,
  { eol, base, isFlat }: { eol: string; base: string; isFlat: boolean },
): Change[] {
  const last = object.children?.at(-1)
  if (!last) {
    const hasLines = text.slice(object.offset, object.offset + object.length).includes('\n')
    const end = hasLines ? '' : `${eol}${indentAt(text, object.offset)}`
    return [{ at: object.offset + 1, length: 0, text: `${eol}${base}${member}${end}` }]
  }
  const end = last.offset + last.length
  const { comma, lineEnd } = behind(text, end)
  // Who ends a list with a comma has one again when the member is gone.
  if (comma !== undefined) {
    const at = isFlat ? comma + 1 : lineEnd
    return [{ at, length: 0, text: `${isFlat ? '' : `${eol}${base}`}${member},` }]
  }
  if (isFlat) return [{ at: end, length: 0, text: `,${member}` }]
  return [
    { at: end, length: 0, text: ',' },
    { at: lineEnd, length: 0, text: `${eol}${base}${member}` },
  ]
}

/** A member with its line, and the comma that it no longer needs. */
function removing(text: string, object: Node, member: Node): Change[] {
  const members = object.children ?? []
  const end = member.offset + member.length
  const { comma } = behind(text, end)
  const previous = members[members.indexOf(member) - 1]
  const commas = [comma ?? (previous && behind(text, previous.offset + previous.length).comma)].filter(
    (at) => at !== undefined,
  )
  // A comment may end the line before, so that this one goes only as a whole.
  const isLine = /^[ \t]*,?[ \t]*(?:\r?\n|$)/.test(text.slice(end))
  const blanks = isLine ? /(?:\r?\n)?[ \t]*$/ : /[ \t]*$/
  const before = blanks.exec(text.slice(object.offset + 1, member.offset))?.[0] ?? ''
  const start = member.offset - before.length
  return [{ at: start, length: end - start, text: '' }, ...commas.map((at) => ({ at, length: 1, text: '' }))]
}

/** The comma behind a value, and the end of its line, which a comment may put off. */
function behind(text: string, end: number): { comma?: number; lineEnd: number } {
  let comma: number | undefined
  let lineEnd: number | undefined
  let at = end
  for (;;) {
    TRIVIA.lastIndex = at
    const [token = ''] = TRIVIA.exec(text) ?? []
    if (token === '') break
    if (token === ',') {
      if (comma !== undefined) break
      // Some write their commas at the beginning of the next line.
      comma = at
      lineEnd = undefined
    } else if (token.endsWith('\n') && !token.startsWith('/')) lineEnd ??= at
    at += token.length
  }
  return { comma, lineEnd: lineEnd ?? text.slice(0, at).trimEnd().length }
}

function isOnOneLine(text: string, { offset, length, children = [] }: Node): boolean {
  return children.length > 0 && !text.slice(offset, offset + length).includes('\n')
}

function memberIndent(text: string, object: Node, unit: string): string {
  const [first] = object.children ?? []
  const isOnItsLine = first && text.slice(object.offset, first.offset).includes('\n')
  return isOnItsLine ? indentAt(text, first.offset) : `${indentAt(text, object.offset)}${unit}`
}

function changed(text: string, changes: Change[]): string {
  // Those at one place stay in their order.
  const ordered = changes.toReversed().toSorted((one, other) => other.at - one.at)
  return ordered.reduce((all, { at, length, text: added }) => all.slice(0, at) + added + all.slice(at + length), text)
}

function lineOf(text: string, at: number): number {
  return text.slice(0, at).split('\n').length
}

function objectOf(node: Node | undefined): Record<string, unknown> | undefined {
  const value = node && told(node)
  return isObject(value) ? value : undefined
}

/** Names that mean something to objects are names like all others here. */
function told({ type, value, children = [] }: Node): unknown {
  if (type === 'array') return children.map(told)
  if (type !== 'object') return value
  return Object.fromEntries(children.map(({ children: [name, inner] = [] }) => [name?.value, inner && told(inner)]))
}
