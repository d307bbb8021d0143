import type * as z from 'zod/mini'
import { ParleyError } from './errors.ts'

/** Checks a value from outside once; what comes back can be trusted everywhere inside. */
export function parse<Schema extends z.ZodMiniType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const field = issue?.path.join('.')
  throw new ParleyError('invalid', { problem: field ? `"${field}" ${issue?.message}` : (issue?.message ?? 'invalid') })
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ParleyError('bad_json', {}, error)
  }
}
