import { ParleyError } from '../protocol/errors.ts'
import { compilePolicy } from './policy.ts'
import { openPolicyFile, type PolicyFile, type PolicyFileParts, policyPath } from './policy-file.ts'

/** The policy of a data folder; of a hub that forgets, one without rules. */
export async function openPolicy(data: string, parts: Omit<PolicyFileParts, 'path'> = {}): Promise<PolicyFile> {
  if (data !== 'memory') return openPolicyFile({ path: policyPath(data), ...parts })
  const { decide, explain, rules } = compilePolicy([])
  return { decide, explain, rules: () => rules, problem: () => undefined, add, close() {} }
}

async function add(): Promise<never> {
  throw new ParleyError('no_policy')
}
