import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { decidedCalls } from '../../export/decided-calls.ts'
import { openFolder } from '../../export/folder.ts'
import { drawnRule } from '../../governance/policy/file/add-rule.ts'
import { suggestRules } from '../../governance/policy/learning/suggest.ts'
import { compilePolicy } from '../../governance/policy/policy.ts'
import { DECIDED_CALLS_PATH, type DecidedCall } from '../../protocol/tools/decided-call.ts'
import { hubOrFolder } from '../folder/hub-or-folder.ts'
import { ownerGet } from '../folder/owner-get.ts'
import type { Typed } from '../program.ts'
import { readOwnPolicy } from './policy.ts'

/** Only text for the file goes to stdout. */
export async function suggestPolicy({ config: { data } }: Typed) {
  const { path, policy = compilePolicy([]) } = await readOwnPolicy(data)
  const decided = await hubOrFolder(
    () => fromHub(data),
    () => fromFolder(data),
  )
  const suggestions = suggestRules(decided, policy.decide)
  if (suggestions.length === 0)
    return console.error(`Nothing was allowed again and again, of ${decided.length} calls that people decided about`)
  for (const { rule, why } of suggestions) console.log(`${drawnRule(rule, why, '    ')},`)
  console.error(`These fit into "rules" of ${path}; the first rule that matches decides`)
}

async function fromHub(data: string): Promise<DecidedCall[] | undefined> {
  const chunks = await ownerGet(data, DECIDED_CALLS_PATH)
  if (!chunks) return undefined
  const decided: DecidedCall[] = []
  for await (const line of createInterface({ input: Readable.from(chunks) })) decided.push(JSON.parse(line))
  return decided
}

async function fromFolder(data: string): Promise<DecidedCall[]> {
  const folder = await openFolder(data)
  try {
    return await Array.fromAsync(decidedCalls(folder.source))
  } finally {
    await folder.close()
  }
}
