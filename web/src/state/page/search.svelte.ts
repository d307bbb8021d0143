import type { Hit, TimelineFrame } from '../../../../src/protocol/frames/timeline.ts'
import type { TimelineCommand } from '../../../../src/protocol/frames/timeline-command.ts'
import { newKey } from '../hub/key.ts'

type Request = Extract<TimelineCommand, { type: 'search' }>
type Filter = Omit<Request, 'type' | 'key' | 'query' | 'before' | 'conversation' | 'similar'>
type Found = Extract<TimelineFrame, { type: 'found' }>

/** The pause after the last key before a query is asked: most people type faster. */
const PAUSE_MS = 150
/** The same question has a better answer soon while the hub is still indexing. */
const AGAIN_MS = 1000

/** The person's search, and its results. Only the newest question counts, however late older answers come. */
export class Search {
  query = $state('')
  hits = $state.raw<Hit[]>([])
  hasMore = $state(false)
  indexing = $state(false)
  /** The hits have words one letter away, because none has the words themselves. */
  similar = $state(false)
  problem = $state<string>()
  /** The query that the hits answer. */
  answered = $state('')
  busy = $state(false)
  readonly #send: (request: Request) => void
  #filter: Filter = {}
  #awaited: { key: string; before?: string } | undefined
  #next: string | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(send: (request: Request) => void) {
    this.#send = send
  }

  /** `wanted`: whether anything is looked for at all. */
  type(query: string, filter: Filter = {}, wanted = query.trim() !== '') {
    this.query = query
    this.#filter = filter
    this.#stop()
    this.busy = wanted
    if (this.busy) this.#timer = setTimeout(() => this.#ask(), PAUSE_MS)
    else this.#clear()
  }

  /** Older hits, below those that are there. */
  more() {
    if (!this.hasMore || this.busy) return
    this.#stop()
    this.#ask(this.#next)
  }

  /** Forgets what was asked, so that nothing is asked again; the query and its hits stay for the next time. */
  close() {
    this.#stop()
    this.busy = false
  }

  /** Whether it is the answer to the newest question. */
  take({ key, hits, has_more, next, indexing = false, similar }: Found): boolean {
    if (key !== this.#awaited?.key) return false
    const older = this.#awaited.before !== undefined
    this.hits = older ? [...this.hits, ...hits] : hits
    this.#settle()
    this.answered = this.query
    this.hasMore = has_more
    this.#next = next
    this.indexing = indexing
    this.similar = similar === true
    if (indexing && !older) this.#timer = setTimeout(() => this.#ask(), AGAIN_MS)
    return true
  }

  /** Whether it was a search that the hub refused. */
  refuse(key: string | undefined, error: string): boolean {
    if (key === undefined || key !== this.#awaited?.key) return false
    this.#clear()
    this.problem = error
    return true
  }

  forget(conversation: string) {
    this.hits = this.hits.filter((hit) => hit.conversation !== conversation)
  }

  #ask(before?: string) {
    this.busy = true
    this.#awaited = { key: newKey(), before }
    const { titles, ...filter } = this.#filter
    const older = { ...filter, before, ...(this.similar && { similar: true as const }) }
    const wanted = before === undefined ? { ...filter, titles } : older
    this.#send({ type: 'search', key: this.#awaited.key, query: this.query, ...wanted })
  }

  #stop() {
    clearTimeout(this.#timer)
    this.#awaited = undefined
  }

  #settle() {
    this.#awaited = undefined
    this.busy = false
    this.problem = undefined
  }

  #clear() {
    this.#settle()
    this.hits = []
    this.hasMore = false
    this.indexing = false
    this.similar = false
    this.answered = ''
  }
}
