import type { Chat } from '../../chat/chat.ts'
import { ParleyError } from '../../protocol/errors.ts'
import type { PolicyManaging, ShownGrant, ShownPolicy } from '../../protocol/tools/policy.ts'
import type { RuleChange } from '../policy/file/change-rule.ts'
import { type Counts, grantName } from '../policy/file/counts.ts'
import type { PolicyFile } from '../policy/file/policy-file.ts'

interface ManagingParts {
  policy: Pick<PolicyFile, 'show' | 'change'>
  counts: Pick<Counts, 'of' | 'keepIn'>
  notes: Parameters<Counts['keepIn']>[0]
  chat: Pick<Chat, 'standing'>
  /** Writes down who changed what. */
  record?(change: { by: string; changed: string; about: string }): Promise<void>
}

interface Managing extends PolicyManaging {
  close(): Promise<void>
}

/** What people are shown of rules and standing permissions, and how they switch them or take them back. */
export function createManaging({ policy, counts, notes, chat, record }: ManagingParts): Managing {
  const { standing } = chat
  const { close } = counts.keepIn(notes)
  return {
    show,
    grants,
    switchRule: (identity, on, by) => change(identity, on ? 'on' : 'off', by),
    takeBackRule: (identity, by) => change(identity, 'taken_back', by),
    takeBackGrant,
    close,
  }

  function show(): ShownPolicy {
    const { rules, ...more } = policy.show()
    return { ...more, rules: rules.map((rule) => ({ ...rule, ...counts.of(rule.identity) })) }
  }

  async function grants(): Promise<ShownGrant[]> {
    const found = await standing.grants()
    return found.map(({ since, at, conversation, title, tool_name, agent, folder, by }) => ({
      ...{ since, at, conversation, title, tool_name, agent, folder, by },
      ...counts.of(grantName(since)),
    }))
  }

  async function change(identity: string, wanted: RuleChange, by: string) {
    const rule = policy.show().rules.find((rule) => rule.identity === identity)
    if (!rule) throw new ParleyError('unknown_rule')
    await policy.change(identity, wanted)
    const { id, decision, shown } = rule
    const about = JSON.stringify({ rule: id, decision, shown, ...(rule.by && { allowed_by: rule.by, on: rule.on }) })
    await record?.({ by, changed: `rule ${wanted.replace('_', ' ')}`, about })
    await standing.reconsider()
  }

  /** The entry that says so is the record. Taken back on two pages, it happens once. */
  async function takeBackGrant(since: string, by: string) {
    const grant = (await standing.grants()).find((grant) => grant.since === since)
    if (!grant) throw new ParleyError('grant_gone')
    await standing.revoke(grant.conversation, grant.tool_name, by, `revoke ${since}`, since)
  }
}
