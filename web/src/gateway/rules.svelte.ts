import * as z from 'zod/mini'
import { ShownGrant, ShownPolicy, type ShownRule } from '../../../src/protocol/tools/policy.ts'
import { call, Refused } from './call.ts'

const Granted = z.object({ grants: z.array(ShownGrant) })

/** The rules and what is always allowed, as they were when they were last looked at, and what can be done about them. */
export class Rules {
  policy = $state.raw<ShownPolicy>()
  grants = $state.raw<ShownGrant[]>()
  /** Why the last change was refused, and what the last one that was not came to. */
  problem = $state<string>()
  done = $state<string>()
  #looks = 0

  async look() {
    const look = ++this.#looks
    const [policy, grants] = await looked()
    // An earlier look brings older rules by now.
    if (look !== this.#looks) return
    this.policy = policy
    this.grants = grants
  }

  async switch({ id, identity, off = false }: ShownRule) {
    await this.#change('policy_switch', { rule: identity, on: off }, `Rule ${id} is ${off ? 'on' : 'off'}`)
  }

  async takeBackRule({ id, identity }: ShownRule) {
    await this.#change('policy_take_back', { rule: identity }, `Rule ${id} taken back`)
  }

  async takeBackGrant({ since, tool_name }: ShownGrant) {
    await this.#change('grant_take_back', { since }, `${tool_name} asks again`)
  }

  async #change(tool: string, input: object, done: string) {
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

async function looked(): Promise<[ShownPolicy?, ShownGrant[]?]> {
  try {
    const policy = ShownPolicy.parse(await call('policy_show', {}))
    return [policy, Granted.parse(await call('grant_list', {})).grants]
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return []
  }
}
