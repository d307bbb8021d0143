import * as z from 'zod/mini'
import type { Tool } from '../../../src/doors/mcp/surface.ts'
import type { Schema } from '../doors/values.ts'

/** What a tool takes, as its callers are told. */
export function schemaOf({ input }: Tool): Schema {
  return z.toJSONSchema(input, { io: 'input' }) as Schema
}
