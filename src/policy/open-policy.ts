import { ParleyError } from '../protocol/errors.ts'
import { compilePolicy } from './policy.ts'
import { openPolicyFile, type PolicyFile, type PolicyFileParts, policyPath } from './policy-file.ts'

/** The policy of a data folder; a hub that keeps nothing has no rules. */
export async function openPolicy({
  data,
  told,
}: { data: string } & Pick<PolicyFileParts, 'told'>): Promise<PolicyFile> {
  if (data !== 'memory') return openPolicyFile({ path: policyPath(data), told })
  const { decide, explain, rules } = compilePolicy([])
  return { decide, explain, rules: () => rules, problem: () => undefined, add, close() {} }
}

async function add(): Promise<never> {
  throw new ParleyError('no_policy')
}
