import type { Entry } from '../../../../src/protocol/entries/entry.ts'
import type { Partial } from '../../../../src/protocol/frames/driving.ts'
import type { TimelineFrame } from '../../../../src/protocol/frames/timeline.ts'

type Told = Pick<Extract<TimelineFrame, { type: 'partial' }>, 'by' | 'partials' | 'gone'>

/** The number of ended texts that are remembered, should more of one be on its way. */
const REMEMBERED = 50

/** A text that an agent is writing. */
export class Growing {
  readonly id: string
  readonly kind: Partial['kind']
  readonly by: string
  readonly at: number
  text = $state.raw('')
  /** How often it became another text instead of a longer one. It needs no signal: the text changes with it. */
  rewritten = 0
  /** The position where the known part begins. */
  #from = 0

  constructor({ id, kind }: Partial, by: string) {
    this.id = id
    this.kind = kind
    this.by = by
    this.at = Date.now()
  }

  grow({ from, text }: Partial) {
    const at = from - this.#from
    // Nothing is known of what was missed.
    if (at < 0 || at > this.text.length) this.#from = from
    const known = this.text
    this.text = known.slice(0, from - this.#from) + text
    if (at !== known.length && !this.text.startsWith(known)) this.rewritten++
  }

  /** The end of it may come with the finished message alone. */
  finish(text: string) {
    if (text.startsWith(this.text)) this.text = text
  }
}

/** The texts of one conversation that grow. Rows depend on which there are, and not on how long they are. */
export class Partials {
  list = $state.raw<Growing[]>([])
  #over: string[] = []

  take({ by, partials, gone = [] }: Told) {
    for (const partial of partials) {
      if (this.#over.includes(partial.id)) continue
      let growing = this.list.find(({ id }) => id === partial.id)
      if (!growing) {
        growing = new Growing(partial, by)
        this.list = [...this.list, growing]
      }
      growing.grow(partial)
    }
    this.#end(gone)
  }

  /** The entry has the same key; output ends with the result of its call. */
  settle(entries: Entry[]) {
    for (const { key, body } of entries) {
      const growing = key === undefined ? undefined : this.list.find(({ id }) => id === key)
      if (growing && body.kind === 'message') growing.finish(body.text)
    }
    // Ids may repeat in another turn.
    if (entries.some(({ body }) => body.kind === 'turn')) this.#over = []
    this.#end(entries.flatMap(({ key, body }) => (body.kind === 'tool_result' ? body.call_id : key) ?? []))
  }

  clear() {
    this.list = []
    this.#over = []
  }

  #end(ids: string[]) {
    if (ids.length === 0) return
    this.#over = [...this.#over, ...ids].slice(-REMEMBERED)
    if (this.list.some(({ id }) => ids.includes(id))) this.list = this.list.filter(({ id }) => !ids.includes(id))
  }
}
