import * as z from 'zod/mini'
import { ParleyError } from '../protocol/errors.ts'
import { type PolicySeen, ShownPolicy } from '../protocol/policy.ts'
import { seesPolicy } from '../protocol/principal.ts'
import { type Tool, tool } from './surface.ts'

/** For people, who have to know what is decided without them; agents would learn how to get around it. */
export function policyTools(policy: Pick<PolicySeen, 'show'> = { show: () => ({ rules: [] }) }): Tool[] {
  return [
    tool({
      name: 'policy_show',
      title: 'Show the policy',
      description:
        'Shows the rules that decide about the tools of agents, in their order, the file that they stand in, and what is wrong with it.',
      needs: 'speak',
      input: z.object({}),
      output: ShownPolicy,
      async call(_, { principal }) {
        if (!seesPolicy(principal)) throw new ParleyError('policy_hidden', { name: principal.name })
        return policy.show()
      },
    }),
  ]
}
