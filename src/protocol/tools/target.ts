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
  return words.slice(0, LONGEST).replace(/\s+/g, ' ').trim()
}

function wordsOf(args: Record<string, unknown>): string {
  const values = [...TELLING.map((name) => args[name]), ...Object.values(args)]
  return values.find((value): value is string => typeof value === 'string' && value.trim() !== '') ?? ''
}
