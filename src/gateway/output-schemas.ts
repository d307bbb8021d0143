import type { JsonSchemaType } from '@modelcontextprotocol/client'
import { isRecord } from '../protocol/record.ts'
import { visible } from './clean-text.ts'

type Item = Record<string, unknown>

/** Those of real servers are far shorter, and each is compiled. */
const LONGEST = 64 * 1024

/**
 * Tools without the schemas of results that clients cannot use: these compile all of them when they list tools, and fail
 * to list any where one cannot be compiled.
 */
export async function withUsableOutputs(tools: Item[], leftOut: (what: string) => void): Promise<Item[]> {
  if (!tools.some(({ outputSchema }) => outputSchema !== undefined)) return tools
  const { AjvJsonSchemaValidator } = await import('@modelcontextprotocol/client/validators/ajv')
  return tools.map((tool) => {
    if (tool.outputSchema === undefined || isUsable(tool.outputSchema)) return tool
    leftOut(`what ${visible(String(tool.name))} says of its results: it is no schema that clients can use`)
    const { outputSchema: _, ...rest } = tool
    return rest
  })

  function isUsable(schema: unknown): boolean {
    if (!isRecord(schema) || schema.type !== 'object' || JSON.stringify(schema).length > LONGEST) return false
    try {
      // One for each, because schemas of one name must not meet.
      new AjvJsonSchemaValidator().getValidator(schema as JsonSchemaType)
      return true
    } catch {
      // Whatever it says: clients would hear the same.
      return false
    }
  }
}
