import { jsonIn } from '../text/json.ts'
import { isRecord } from '../text/record.ts'

/** What tools call the thing they work on, the most telling first. */
const TELLING = ['file_path', 'path', 'command', 'pattern', 'query', 'url', 'description', 'name']
const LONGEST = 200

/**
 * What a tool call is about, in one line: a well-known argument, or the first that is a text, or the arguments as they
 * are.
 */
export function targetOf(args: string): string {
  const parsed = jsonIn(args)
  const words = isRecord(parsed) ? wordsOf(parsed) : typeof parsed === 'string' ? parsed : args
  return inOneLine(words.slice(0, LONGEST))
}

/** Two commands must not look like one: what ends a line in some shell stays to be seen. */
export function inOneLine(text: string): string {
  return text
    .trim()
    .replace(/\s*[\n\r\v\f\u0085\u2028\u2029]\s*/g, ' ⏎ ')
    .replace(/\s+/g, ' ')
}

/** Long arguments would have to be read whole for a few words. */
const TELLING_LENGTH = 16_384

/** A tool with its target, as briefly. */
export function deedOf(tool: string, args: string): string {
  const target = args.length > TELLING_LENGTH ? '' : targetOf(args)
  return target === '' ? tool : `${tool}: ${target}`
}

function wordsOf(args: Record<string, unknown>): string {
  const values = [...TELLING.map((name) => args[name]), ...Object.values(args)]
  return values.find((value): value is string => typeof value === 'string' && value.trim() !== '') ?? ''
}
