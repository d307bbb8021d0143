import * as z from 'zod/mini'
import { ShownGrant, ShownPolicy, type ShownRule } from '../../../src/protocol/policy.ts'
import { call, Refused } from './call.ts'

const Granted = z.object({ grants: z.array(ShownGrant) })

/** The rules and what is always allowed, as they were when they were last looked at, and what can be done about them. */
export class Rules {
  policy = $state.raw<ShownPolicy>()
  /** Only for who may take them back. */
  grants = $state.raw<ShownGrant[]>()
  /** Why the last wish was refused, and what the last one that was not came to. */
  problem = $state<string>()
  done = $state<string>()

  async look() {
    try {
      const policy = ShownPolicy.parse(await call('policy_show', {}))
      this.grants = policy.manageable ? Granted.parse(await call('grant_list', {})).grants : undefined
      this.policy = policy
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      this.policy = this.grants = undefined
    }
  }

  async switch({ id, identity, off = false }: ShownRule) {
    await this.#wish('policy_switch', { rule: identity, on: off }, `Rule ${id} is ${off ? 'on' : 'off'}`)
  }

  async takeBackRule({ id, identity }: ShownRule) {
    await this.#wish('policy_take_back', { rule: identity }, `Rule ${id} is taken back`)
  }

  async takeBackGrant({ since, tool_name }: ShownGrant) {
    await this.#wish('grant_take_back', { since }, `${tool_name} is asked about again`)
  }

  async #wish(tool: string, input: object, done: string) {
    this.problem = this.done = undefined
    try {
      await call(tool, input)
      this.done = done
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      this.problem = error.message
    }
    await this.look()
  }
}
