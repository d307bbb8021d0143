import { jsonIn } from '../../../src/protocol/json.ts'
import { prettyJson, TOKEN } from '../../../src/protocol/pretty-json.ts'
import { isRecord } from '../../../src/protocol/record.ts'
import { visible } from './visible.ts'

/** One argument of a tool call; a text stands as it is, anything else as JSON. */
export interface Argument {
  name: string
  value: string
}

/** The arguments one by one; undefined when they are no JSON object. Each gets a place of its own: none can imitate the next. */
export function argumentsOf(input: string): Argument[] | undefined {
  if (!isRecord(jsonIn(input))) return undefined
  const found: Argument[] = []
  let depth = 0
  let name: string | undefined
  let value = ''
  // By tokens, because parsed numbers may lose digits and a name that comes twice would lose its first value.
  for (const [token] of input.matchAll(TOKEN)) {
    if (token === '}' || token === ']') depth--
    const ends = depth === 0 ? token === '}' : depth === 1 && token === ','
    if (ends && name !== undefined) {
      found.push({ name: textOf(name), value: shown(value) })
      name = undefined
      value = ''
    } else if (depth === 1 && name === undefined) name = token
    else if (depth > 0 && !(depth === 1 && value === '' && token === ':')) value += token
    if (token === '{' || token === '[') depth++
  }
  return found
}

/** What is wrong with arguments that a person edits; undefined when nothing is. */
export function problemIn(edited: string): string | undefined {
  try {
    return isRecord(JSON.parse(edited)) ? undefined : 'The arguments must be a JSON object: { … }'
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const [, line, column] = /line (\d+) column (\d+)/.exec(error.message) ?? []
    return line ? `This is no valid JSON, at line ${line}, column ${column}` : 'This is no valid JSON'
  }
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
