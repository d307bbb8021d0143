import * as z from 'zod/mini'
import { ParleyError } from '../../../protocol/errors.ts'
import { can, LOCAL, mustBeAble, type Principal, seesPolicy } from '../../../protocol/principal.ts'
import { type PolicyManaging, ShownGrant, ShownPolicy, type ShownRule } from '../../../protocol/tools/policy.ts'
import { type Tool, tool } from '../surface.ts'

const needs = 'administer'
const rule = z.string('must be the identity of a rule')

/** Tools for people, who have to know what is decided without them; agents would learn how to get around it. */
export function policyTools(policy: PolicyManaging): Tool[] {
  return [
    tool({
      name: 'policy_show',
      title: 'Show the policy',
      description:
        'Shows the rules that decide about the tools of agents, in their order, who allowed what they allow, how often each decided, the file that they stand in, and what is wrong with it.',
      needs: 'speak',
      input: z.object({}),
      output: ShownPolicy,
      async call(_, { principal }) {
        const person = personIn(principal)
        const { rules, ...more } = policy.show()
        const shown = rules.map((rule) => (isOwn(rule, person) ? { ...rule, mine: true } : rule))
        return { ...more, rules: shown, ...(can(principal, needs) && { manageable: true }) }
      },
    }),
    tool({
      name: 'policy_switch',
      title: 'Switch a rule',
      description:
        'Switches a rule of the policy, named by its identity, on or off. It counts at once, for open cards too.',
      needs,
      input: z.object({ rule, on: z.boolean('must be true or false') }),
      output: z.object({}),
      async call({ rule, on }, { principal }) {
        await policy.switchRule(rule, on, personIn(principal))
        return {}
      },
    }),
    tool({
      name: 'policy_take_back',
      title: 'Take a rule back',
      description: 'Takes a rule out of the policy that somebody made by always allowing a call.',
      needs: 'speak',
      input: z.object({ rule }),
      output: z.object({}),
      async call({ rule }, { principal }) {
        const person = personIn(principal)
        const found = policy.show().rules.find(({ identity }) => identity === rule)
        if (!found || !isOwn(found, person)) mustBeAble(principal, needs)
        await policy.takeBackRule(rule, person)
        return {}
      },
    }),
    tool({
      name: 'grant_list',
      title: 'List what is always allowed',
      description:
        'Shows every tool that is always allowed to an agent in one conversation: who allowed it, when, and how often that was used.',
      needs: 'speak',
      input: z.object({}),
      output: z.object({ grants: z.array(ShownGrant) }),
      async call(_, { principal }) {
        mustSee(principal)
        return { grants: await policy.grants() }
      },
    }),
    tool({
      name: 'grant_take_back',
      title: 'Take back what is always allowed',
      description: 'A tool that was always allowed in one conversation is asked about again.',
      needs: 'speak',
      input: z.object({ since: z.string('must name what allowed it') }),
      output: z.object({}),
      async call({ since }, { principal }) {
        await policy.takeBackGrant(since, personIn(principal))
        return {}
      },
    }),
  ]
}

function mustSee(principal: Principal) {
  if (!seesPolicy(principal)) throw new ParleyError('policy_hidden', { name: principal.name })
}

/** What somebody made of it since, which does not allow, is no longer theirs to take back. */
function isOwn({ by, decision }: ShownRule, person: string): boolean {
  return by === person && decision === 'allow'
}

/** The name by which people see who did it. */
function personIn(principal: Principal): string {
  mustSee(principal)
  return principal.name === LOCAL ? 'person' : principal.name
}
