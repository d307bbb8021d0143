import { jsonIn } from '../../../protocol/text/json.ts'

interface InText {
  /** The start and end in the text. */
  at: number
  end: number
}

interface Member {
  name: string
  at: number
  value: Node
}

export type ObjectNode = InText & { kind: 'object'; members: Member[] }
/** `commas`: where they are, the last one too where it follows the last item. */
export type ListNode = InText & { kind: 'list'; items: Node[]; commas: number[] }
type ScalarNode = InText & { kind: 'scalar'; value: string | number | boolean | null }
export type Node = ObjectNode | ListNode | ScalarNode

/** A problem with a text, and where it is. */
export class Misplaced extends Error {
  override readonly name = 'Misplaced'
  readonly at: number

  constructor(at: number, text: string) {
    super(text)
    this.at = at
  }
}

const DEEPEST = 50
const BLANK = /(?:\s|\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*\*\/)*/y
const WORD = /[^\s,:[\]{}"/]+/y
const TEXT = /"(?:[^"\\\n]|\\[^\n])*"/y

/** JSON with comments and with commas after the last, and the place of everything in it. Throws `Misplaced`. */
export function parseJsonc(text: string): Node {
  let at = text.startsWith('\uFEFF') ? 1 : 0
  skip()
  const node = value(0)
  skip()
  if (at < text.length) throw new Misplaced(at, 'Nothing may follow the end')
  return node

  function value(depth: number): Node {
    if (depth > DEEPEST) throw new Misplaced(at, `This is nested deeper than ${DEEPEST} levels`)
    const sign = text[at]
    if (sign === '{') return object(depth)
    if (sign === '[') return list(depth)
    const start = at
    if (sign === '"') return { kind: 'scalar', value: string(), at: start, end: at }
    const word = taken(WORD)
    if (word === '')
      throw new Misplaced(start, sign === undefined ? 'The file ends too early' : `"${sign}" is not expected here`)
    return { kind: 'scalar', value: plain(word, start), at: start, end: at }
  }

  function object(depth: number): ObjectNode {
    const start = at
    const members: Member[] = []
    const names = new Set<string>()
    each('}', () => {
      const place = at
      if (text[at] !== '"') throw new Misplaced(at, 'A name in double quotes is expected here')
      const name = string()
      if (names.has(name)) throw new Misplaced(place, `"${name}" is there twice`)
      names.add(name)
      skip()
      expect(':')
      skip()
      members.push({ name, at: place, value: value(depth + 1) })
    })
    return { kind: 'object', members, at: start, end: at }
  }

  function list(depth: number): ListNode {
    const start = at
    const items: Node[] = []
    const commas = each(']', () => items.push(value(depth + 1)))
    return { kind: 'list', items, commas, at: start, end: at }
  }

  /** What stands between brackets, one after the other; returns where the commas are. */
  function each(end: string, take: () => void): number[] {
    const commas: number[] = []
    at++
    skip()
    while (text[at] !== end) {
      take()
      skip()
      if (text[at] === ',') commas.push(at++)
      else if (text[at] !== end) throw new Misplaced(at, `"," or "${end}" is expected here`)
      skip()
    }
    at++
    return commas
  }

  function string(): string {
    const start = at
    const quoted = taken(TEXT)
    if (quoted === '') throw new Misplaced(start, 'This text has no end on its line')
    return parsed(quoted, start, 'This text has a character or an escape that JSON does not know') as string
  }

  function plain(word: string, start: number): number | boolean | null {
    return parsed(word, start, `${word} is not a JSON value; texts are in double quotes`) as number | boolean | null
  }

  function expect(sign: string) {
    if (text[at] !== sign) throw new Misplaced(at, `"${sign}" is expected here`)
    at++
  }

  function skip() {
    taken(BLANK)
    if (text.startsWith('/*', at)) throw new Misplaced(at, 'This comment has no end')
  }

  function taken(pattern: RegExp): string {
    pattern.lastIndex = at
    const [found = ''] = pattern.exec(text) ?? []
    at += found.length
    return found
  }
}

function parsed(json: string, at: number, problem: string): unknown {
  const value = jsonIn(json)
  if (value === undefined) throw new Misplaced(at, problem)
  return value
}

/** Finds the line and column of a place, counted from 1 as editors do. */
export function placesIn(text: string): (at: number) => { line: number; column: number } {
  const lines = [0]
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) lines.push(end + 1)
  return (at) => {
    let line = 0
    for (let step = 1 << 30; step > 0; step >>= 1) if ((lines[line + step] ?? Infinity) <= at) line += step
    return { line: line + 1, column: at - (lines[line] as number) + 1 }
  }
}
