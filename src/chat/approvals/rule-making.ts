import { createQueue } from '../../io/queue.ts'
import type { Entry } from '../../protocol/entries/entry.ts'
import type { ConversationState, OpenQuestion } from '../../protocol/entries/fold.ts'
import { bodies } from '../conversation/decision.ts'
import type { Projection } from '../conversation/projection.ts'
import type { Rooms } from '../conversation/rooms.ts'
import type { Settling } from '../questions/settling.ts'
import { mustBeSayable } from './always.ts'
import type { ApprovalPolicy, Policing, Remembering } from './policing.ts'
import { allowed } from './verdict.ts'

interface RuleMakingParts {
  rooms: Pick<Rooms, 'state' | 'append'>
  policy: Pick<ApprovalPolicy, 'remember'>
  policing: Pick<Policing, 'subjectOf' | 'alsoAllowed' | 'isForbidden'>
  settling: Pick<Settling, 'settleAfter' | 'wanted'>
  conversationOf(question: string): Promise<string>
  clearInput(question: string): Promise<string | undefined>
  projection: Pick<Projection, 'conversations'>
  report(error: unknown): void
}

/** Always allows a tool in more than one conversation: by a rule of the policy. */
export function createRuleMaking({ rooms, policy, policing, settling, conversationOf, ...parts }: RuleMakingParts) {
  /** One after the other, or two clicks would write one rule twice. */
  const making = createQueue()
  return { allowByRule }

  /** This call, with what was changed in it, and every other of its tool: by its asker, or by everyone. */
  async function allowByRule(
    question: string,
    input: string | undefined,
    how: Remembering,
    key?: string,
  ): Promise<Entry> {
    const { scope, by } = how
    let made: { asked: OpenQuestion; rule: string } | undefined
    // Nobody else settles it meanwhile: a rule must not come of what somebody has denied.
    const settled = await settling.settleAfter(() => making.add(make), question, {
      by,
      key,
      verdict: (open) => ({ ...allowed(open, input), always: 'granted', scope, rule: made?.rule }),
      also: (state, open) => policing.alsoAllowed(state, open),
    })
    if (made) await allowElsewhere(settled.conversation, made.asked)
    return settled

    /** One that is settled needs no rule: whoever settles it is told. */
    async function make() {
      const conversation = await conversationOf(question)
      // An earlier decision may be on its way.
      await rooms.append(conversation, () => [])
      const state = await rooms.state(conversation)
      const asked = state.open.find(({ id }) => id === question)
      if (!asked) return
      allowed(asked, input)
      mustBeSayable(asked)
      // Whoever settles it is told that as well.
      if (policing.isForbidden(state, asked, await parts.clearInput(question), input)) return
      made = { asked, rule: await policy.remember(policing.subjectOf(state, asked), how) }
    }

    async function allowElsewhere(conversation: string, asked: OpenQuestion) {
      const others = parts.projection.conversations().filter((other) => other !== conversation)
      const allowed = (state: ConversationState) => settling.wanted(policing.alsoAllowed(state, asked))
      const allow = (other: string) => rooms.append(other, (state) => bodies(...allowed(state)))
      // The rule is written and the call is allowed, whatever becomes of these.
      await Promise.all(others.map((other) => allow(other).catch(parts.report)))
    }
  }
}
