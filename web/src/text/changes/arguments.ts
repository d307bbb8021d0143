import { jsonIn } from '../../../../src/protocol/text/json.ts'
import { prettyJson, TOKEN } from '../../../../src/protocol/text/pretty-json.ts'
import { isRecord } from '../../../../src/protocol/text/record.ts'
import { visible } from '../visible.ts'

/** One argument of a tool call; a text stands as it is, anything else as JSON. */
export interface Argument {
  name: string
  value: string
}

/** An argument as it was written: its name and its value, both as JSON. */
export interface Member {
  name: string
  value: string
}

/** More than this many are one text: nobody reads a table of thousands, and drawing one stops the page. */
export const MOST_ARGUMENTS = 500

/** The arguments one by one; undefined when they are no JSON object. Each gets a place of its own: none can imitate the next. */
export function argumentsOf(input: string): Argument[] | undefined {
  return membersOf(input)?.map(({ name, value }) => ({ name: textOf(name), value: shown(value) }))
}

export function membersOf(input: string): Member[] | undefined {
  if (!isRecord(jsonIn(input))) return undefined
  const found: Member[] = []
  let depth = 0
  let name: string | undefined
  let value = ''
  // The text is read by tokens, because parsed numbers may lose digits and a name that comes twice its first value.
  for (const [token] of input.matchAll(TOKEN)) {
    if (token === '}' || token === ']') depth--
    const ends = depth === 0 ? token === '}' : depth === 1 && token === ','
    if (ends && name !== undefined) {
      found.push({ name, value })
      name = undefined
      value = ''
    } else if (depth === 1 && name === undefined) name = token
    else if (depth > 0 && !(depth === 1 && value === '' && token === ':')) value += token
    if (token === '{' || token === '[') depth++
  }
  return found
}

/** Whether some name in it, however deep, is given twice: then readers may differ about what it says. */
export function saysTwice(input: string): boolean {
  let written = 0
  for (const [token] of input.matchAll(TOKEN)) if (token === ':') written++
  const values = [jsonIn(input)]
  // A loop instead of recursion, because it may be deeper than a stack.
  for (let value = values.pop(); value !== undefined; value = values.pop()) {
    if (typeof value !== 'object' || value === null) continue
    const inside = Object.values(value)
    if (!Array.isArray(value)) written -= inside.length
    for (const each of inside) values.push(each)
  }
  return written !== 0
}

function shown(json: string): string {
  return json.startsWith('"') ? textOf(json) : visible(broken(prettyJson(json) ?? json))
}

function textOf(json: string): string {
  return visible(String(JSON.parse(json)))
}

/** Texts deep inside keep their `\n`, and break there. */
function broken(pretty: string): string {
  return pretty.replace(
    /^( *)(.*\\n.*)$/gm,
    (_, indent: string, line: string) => indent + line.replace(/((?:^|[^\\])(?:\\\\)*\\n)(?!")/g, `$1\n${indent}  `),
  )
}
