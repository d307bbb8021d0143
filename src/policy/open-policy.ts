import type { PolicyNews } from '../protocol/policy.ts'
import { withRule } from './add-rule.ts'
import { compilePolicy } from './policy.ts'
import { EMPTY, openPolicyFile, type PolicyFile, policyPath } from './policy-file.ts'
import { readPolicy } from './read-policy.ts'
import { shownRules } from './summary.ts'

/** The policy of a data folder; that of a hub that forgets begins without rules and is gone with it. */
export function openPolicy(data: string, told?: (news: PolicyNews) => void): PolicyFile {
  return data === 'memory' ? forgettingPolicy() : openPolicyFile({ path: policyPath(data), told })
}

function forgettingPolicy(): PolicyFile {
  const listeners = new Set<(news: PolicyNews) => void>()
  let text = EMPTY
  let policy = compilePolicy([])
  return {
    decide: (subject) => policy.decide(subject),
    explain: (subject) => policy.explain(subject),
    outOfReach: (caller) => policy.outOfReach(caller),
    rules: () => policy.rules,
    problem: () => undefined,
    news,
    show: () => ({ rules: shownRules(policy.rules) }),
    follow(tell) {
      listeners.add(tell)
      return { close: () => listeners.delete(tell) }
    },
    async add(rule) {
      text = withRule(text, rule, 'The policy')
      policy = compilePolicy(readPolicy(text).rules)
      for (const tell of listeners) tell(news())
    },
    close() {},
  }

  function news(): PolicyNews {
    return { rules: policy.rules.length }
  }
}
