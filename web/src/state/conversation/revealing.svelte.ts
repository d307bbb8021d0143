import { REVEAL_PATH, Revealed } from '../../../../src/protocol/secrets/clear-text.ts'
import { post, Refused } from '../../gateway/call.ts'

/** The masked texts of one call, once the person asked for them. Nothing else of the page ever has them. */
export class Revealing {
  shown = $state.raw<Revealed>()
  problem = $state('')
  #asking = false

  async toggle(entry: string) {
    this.problem = ''
    if (this.shown) this.shown = undefined
    else if (!this.#asking) await this.#ask(entry)
  }

  async #ask(entry: string) {
    this.#asking = true
    try {
      this.shown = Revealed.parse(await post(REVEAL_PATH, { entry }))
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      this.problem = error.message
    } finally {
      this.#asking = false
    }
  }
}
