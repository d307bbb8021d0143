import { isRecord } from '../../../protocol/text/record.ts'
import { visible } from '../clean-text.ts'
import type { Trials } from './usable-schemas.ts'

type Item = Record<string, unknown>

/** Those of real servers are far shorter, and each is compiled. */
const LONGEST = 64 * 1024
/** The time for all of a list: the schemas of a thousand tools take a few seconds. */
const ALL_MS = 10_000

/**
 * Tools without the schemas of results that clients cannot use: these compile all of them when they list tools, and
 * fail to list any where one cannot be compiled.
 */
export async function withUsableOutputs(
  tools: Item[],
  { schemas, leftOut }: { schemas: Trials; leftOut(what: string): void },
): Promise<Item[]> {
  const lateAt = performance.now() + ALL_MS
  return Promise.all(
    tools.map(async (tool) => {
      if (tool.outputSchema === undefined || (await isUsable(tool.outputSchema))) return tool
      leftOut(`what ${visible(String(tool.name))} says of its results: it is not a schema that clients can use`)
      const { outputSchema: _, ...rest } = tool
      return rest
    }),
  )

  async function isUsable(schema: unknown): Promise<boolean> {
    if (!isRecord(schema) || schema.type !== 'object') return false
    const json = JSON.stringify(schema)
    return json.length <= LONGEST && schemas.isUsable(json, lateAt)
  }
}
