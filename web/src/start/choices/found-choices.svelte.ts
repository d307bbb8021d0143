import { CHOICES_PATH, ChoicesPage, type ChoicesQuery } from '../../../../src/protocol/frames/asked/choices.ts'
import { post, Refused } from '../../gateway/call.ts'

/** Where a list is. */
export type ListPlace = Omit<ChoicesQuery, 'query' | 'after'>

/** What fits the words in a list that is too long to be told, as far as it was read. */
export class FoundChoices {
  page = $state.raw<ChoicesPage>()
  /** Why it is not shown. */
  problem = $state<string>()
  readonly #place: ListPlace
  #query = ''
  /** Only what was asked last is shown. */
  #asked = 0

  constructor(place: ListPlace) {
    this.#place = place
  }

  async look(query: string) {
    this.#query = query
    await this.#ask()
  }

  /** The next page of the same. */
  async more() {
    const { page } = this
    if (page?.next !== undefined) await this.#ask(page)
  }

  async #ask(before?: ChoicesPage) {
    const turn = ++this.#asked
    const wanted = { ...this.#place, query: this.#query, after: before?.next }
    const told = await post(CHOICES_PATH, wanted).catch((error: unknown) => {
      if (!(error instanceof Refused)) throw error
      return error
    })
    if (turn !== this.#asked) return
    this.problem = told instanceof Refused ? told.message : undefined
    if (told instanceof Refused) return
    const page = ChoicesPage.parse(told)
    this.page = before ? { ...page, found: [...before.found, ...page.found] } : page
  }
}
