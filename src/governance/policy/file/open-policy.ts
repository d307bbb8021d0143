import { createEmitter } from '../../../io/emitter.ts'
import { ParleyError } from '../../../protocol/errors.ts'
import type { PolicyNews } from '../../../protocol/tools/policy.ts'
import { compilePolicy } from '../policy.ts'
import { withRule } from './add-rule.ts'
import { withChange } from './change-rule.ts'
import { withoutConversation } from './forget-conversation.ts'
import { EMPTY, openPolicyFile, type PolicyFile, policyPath } from './policy-file.ts'
import { readPolicy } from './read-policy.ts'
import { shownRules } from './summary.ts'

/** The policy of a data folder; that of a hub that forgets begins without rules and is gone with it. */
export function openPolicy(data: string, told?: (news: PolicyNews) => void): PolicyFile {
  return data === 'memory' ? forgettingPolicy() : openPolicyFile({ path: policyPath(data), told })
}

const PLACE = 'The policy'

function forgettingPolicy(): PolicyFile {
  const changes = createEmitter<[news: PolicyNews]>()
  let text = EMPTY
  let policy = compilePolicy([])
  return {
    decide: (subject) => policy.decide(subject),
    explain: (subject) => policy.explain(subject),
    outOfReach: (caller) => policy.outOfReach(caller),
    rules: () => policy.rules,
    problem: () => undefined,
    news,
    show: () => ({ rules: shownRules(policy.rules, text) }),
    follow: changes.on,
    add: async (rule) => take(withRule(text, rule, PLACE)),
    change: async (identity, change) => take(withChange(text, identity, change, PLACE)),
    forget: async (conversation, mayChange) => {
      const { text: changed, gone } = withoutConversation(text, conversation, PLACE)
      if (changed === text) return []
      if (!mayChange) throw new ParleyError('policy_names', { path: PLACE })
      take(changed)
      return gone
    },
    close() {},
  }

  function take(changed: string) {
    text = changed
    policy = compilePolicy(readPolicy(text).rules)
    changes.emit(news())
  }

  function news(): PolicyNews {
    return { rules: policy.rules.filter(({ off }) => !off).length }
  }
}
