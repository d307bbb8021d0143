import { ParleyError } from '../../../protocol/errors.ts'
import { ifRefused } from '../../../protocol/refusal.ts'
import type { PolicyFile } from './policy-file.ts'

interface ForgottenRulesParts {
  policy: Pick<PolicyFile, 'forget'>
  /** Writes down who changed what. */
  record?(change: { by: string; changed: string; about: string }): Promise<void>
}

interface Who {
  by: string
  administers: boolean
}

/** The rules that name a forgotten conversation go with it; throws what is left to do where they cannot. */
export function createForgottenRules({ policy, record }: ForgottenRulesParts) {
  return (conversation: string, who: Who): Promise<void> =>
    forget(conversation, who).catch(
      ifRefused((error) => {
        throw new ParleyError('rules_left', { problem: error.message }, error)
      }),
    )

  /** The rule's subject is not said: that is forgotten. */
  async function forget(conversation: string, { by, administers }: Who) {
    for (const { id, decision } of await policy.forget(conversation, administers))
      await record?.({ by, changed: 'rule forgotten', about: JSON.stringify({ rule: id, decision }) })
  }
}
