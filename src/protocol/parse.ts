import type * as z from 'zod/mini'
import { ParleyError } from './errors.ts'
import { jsonIn } from './text/json.ts'

/** Checks a value from outside once; what comes back can be trusted everywhere inside. */
export function parse<Schema extends z.ZodMiniType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const field = issue?.path.join('.')
  throw new ParleyError('invalid', { problem: `${field ? `"${field}"` : 'The input'} ${reason(issue)}` })
}

/** Schemas say in their own words what they want; only for a whole object there is nothing to say but that. */
function reason(issue: z.core.$ZodIssue | undefined): string {
  return issue?.code === 'invalid_type' && issue.expected === 'object'
    ? 'must be an object'
    : (issue?.message ?? 'is invalid')
}

/** A frame is a JSON object whose `type` picks one schema of the union. */
export function parseFrame<Schema extends z.ZodMiniType>(schema: Schema, text: string): z.output<Schema> {
  const frame = parseJson(text)
  if (typeof frame !== 'object' || frame === null || !('type' in frame) || typeof frame.type !== 'string')
    throw new ParleyError('invalid', { problem: 'A frame is a JSON object with a "type"' })
  try {
    return parse(schema, frame)
  } catch (error) {
    const known = error instanceof ParleyError && error.message.startsWith('"type"')
    throw known ? new ParleyError('unknown_type', { type: frame.type.slice(0, 50) }) : error
  }
}

export function parseJson(text: string): unknown {
  const value = jsonIn(text)
  if (value === undefined) throw new ParleyError('bad_json')
  return value
}
