import type { Entry } from '../protocol/entry.ts'
import { ParleyError } from '../protocol/errors.ts'
import type { ToolCallSubject } from '../protocol/gateway.ts'
import { bodies } from './decision.ts'
import type { Policing, Policy, Remembering } from './policing.ts'
import type { Rooms } from './rooms.ts'
import type { Settling } from './settling.ts'
import { allowed } from './verdict.ts'

interface RuleMakingParts {
  rooms: Pick<Rooms, 'state' | 'append'>
  policy: Pick<Policy, 'remember' | 'mounted'>
  policing: Pick<Policing, 'subjectOf' | 'alsoAllowed'>
  settling: Pick<Settling, 'settleAfter'>
  conversationOf(question: string): Promise<string>
  /** Those with a question open. */
  waiting(): string[]
  report(error: unknown): void
}

/** Always allows a tool in more than one conversation: by a rule of the policy. */
export function createRuleMaking({ rooms, policy, policing, settling, conversationOf, ...parts }: RuleMakingParts) {
  let making: Promise<unknown> = Promise.resolve()
  return { allowByRule }

  /** This call, with what was changed in it, and every other of its tool: by its asker, or by everyone. */
  async function allowByRule(
    question: string,
    input: string | undefined,
    how: Remembering,
    key?: string,
  ): Promise<Entry> {
    const { scope, by } = how
    let made: ToolCallSubject | undefined
    // Nobody else settles it meanwhile: a rule must not come of what somebody has denied.
    const settled = await settling.settleAfter(() => inTurn(make), question, {
      by,
      key,
      verdict: (open) => ({ ...allowed(open, input), always: 'granted', scope }),
      also: (state) => (made ? policing.alsoAllowed(state, made, question, by) : []),
    })
    if (made) await allowElsewhere(made)
    return settled

    /** One that is settled needs no rule: whoever settles it is told. */
    async function make() {
      const conversation = await conversationOf(question)
      // What was decided before may be on its way.
      await rooms.append(conversation, () => [])
      const state = await rooms.state(conversation)
      const asked = state.open.find(({ id }) => id === question)
      if (!asked) return
      allowed(asked, input)
      const { server, tool_name = '' } = asked.approval ?? {}
      // Only its server knows what the tool is called there.
      if (server !== undefined && !policy.mounted(tool_name)) throw new ParleyError('unknown_tool', { tool: tool_name })
      const subject = policing.subjectOf(state, asked)
      await policy.remember(subject, how)
      made = subject
    }

    async function allowElsewhere(like: ToolCallSubject) {
      const others = parts.waiting().filter((other) => other !== like.conversation)
      const allow = (other: string) =>
        rooms.append(other, (state) => bodies(...policing.alsoAllowed(state, like, question, by)))
      // The rule is written and the call is allowed, whatever becomes of these.
      await Promise.all(others.map((other) => allow(other).catch(parts.report)))
    }
  }

  /** One after the other, or two clicks would write one rule twice. */
  function inTurn<Result>(make: () => Promise<Result>): Promise<Result> {
    const done = making.then(make)
    making = done.catch(() => {})
    return done
  }
}
