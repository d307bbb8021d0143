import { decidedCalls } from '../../export/decided-calls.ts'
import { drawnRule } from '../../governance/policy/file/add-rule.ts'
import { suggestRules } from '../../governance/policy/learning/suggest.ts'
import { compilePolicy } from '../../governance/policy/policy.ts'
import { DECIDED_CALLS_PATH, type DecidedCall } from '../../protocol/tools/decided-call.ts'
import { listedFor } from '../folder/owner-lines.ts'
import type { Typed } from '../program.ts'
import { readOwnPolicy } from './policy.ts'

/** Only text for the file goes to stdout. */
export async function suggestPolicy({ config: { data } }: Typed) {
  const { path, policy = compilePolicy([]) } = await readOwnPolicy(data)
  const decided = await listedFor<DecidedCall>(data, {
    path: DECIDED_CALLS_PATH,
    inFolder: ({ source }) => decidedCalls(source),
  })
  const suggestions = suggestRules(decided, policy.decide)
  if (suggestions.length === 0)
    return console.error(`Nothing was allowed again and again, of ${decided.length} calls that people decided about`)
  for (const { rule, why } of suggestions) console.log(`${drawnRule(rule, why, '    ')},`)
  console.error(`These fit into "rules" of ${path}; the first rule that matches decides`)
}
