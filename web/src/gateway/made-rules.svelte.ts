import { ShownPolicy, type ShownRule } from '../../../src/protocol/tools/policy.ts'
import { call, Refused } from './call.ts'

/** The rules that decisions made, as they stand in the policy by now: a record tells, and takes its own back. */
class MadeRules {
  #rules = $state.raw<ReadonlyMap<string, ShownRule>>()
  #manageable = false
  #seen: unknown
  readonly #wanted = new Set<string>()
  #looking: Promise<void> | undefined

  /** Looks again with each change that is told, and for each rule that it has not looked for. */
  look(rule: string, news: unknown) {
    if (news === this.#seen && this.#wanted.has(rule)) return
    this.#seen = news
    this.#wanted.add(rule)
    // Many records may come at once.
    this.#looking ??= Promise.resolve().then(() => this.#lookNow())
  }

  /** What became of it, in words; nothing as long as it counts, or where nobody tells. */
  endOf(rule: string): string | undefined {
    if (!this.#rules) return undefined
    const found = this.#rules.get(rule)
    if (!found) return 'Taken back since'
    return found.off ? 'Switched off since' : undefined
  }

  canTakeBack(rule: string): boolean {
    const found = this.#rules?.get(rule)
    return found?.by !== undefined && (this.#manageable || found.mine === true)
  }

  /** Why it was refused, if it was. */
  async takeBack(rule: string): Promise<string | undefined> {
    try {
      await call('policy_take_back', { rule })
      return undefined
    } catch (error) {
      if (error instanceof Refused) return error.message
      throw error
    } finally {
      await this.#lookNow()
    }
  }

  async #lookNow() {
    this.#looking = undefined
    try {
      const { rules, manageable = false } = ShownPolicy.parse(await call('policy_show', {}))
      this.#manageable = manageable
      this.#rules = new Map(rules.map((rule) => [rule.identity, rule]))
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      this.#rules = undefined
    }
  }
}

/** Shared by all records of the page. */
export const madeRules = new MadeRules()
