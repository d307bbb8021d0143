import type { SearchFilter } from '../../../../src/protocol/frames/search.ts'
import type { TimelineFrame } from '../../../../src/protocol/frames/timeline.ts'
import { newKey } from '../hub/key.ts'
import type { Link } from '../hub/link.svelte.ts'
import { Search } from './search.svelte.ts'

type Found = Extract<TimelineFrame, { type: 'found' }>
type Titled = NonNullable<Found['titled']>

export type PaletteKind = 'message' | 'question' | 'tool' | 'file'

const DAY_MS = 24 * 60 * 60_000

/**
 * The person's search, and what the hub found: messages, and apart from them what agents did, which would otherwise
 * crowd them out.
 */
export class Palette {
  query = $state('')
  kind = $state<PaletteKind>()
  agent = $state<string>()
  /** The number of days, today among them. */
  days = $state<number>()
  readonly words: Search
  readonly tools: Search
  /** The conversations that are called so. */
  titled = $state.raw<Titled>([])
  /** The agents that can be looked for. */
  agents = $state.raw<string[]>([])
  /** Whether what agents did is shown, and not only that there is something. */
  toolsOpen = $state(false)
  readonly #send: Link['send']
  #learning: string | undefined

  constructor(send: Link['send']) {
    this.#send = send
    this.words = new Search(send)
    this.tools = new Search(send)
  }

  // Derived values would end with the dialog that made them; the search is there again the next time.
  get isFiltered(): boolean {
    return this.kind !== undefined || this.agent !== undefined || this.days !== undefined
  }

  get asked(): boolean {
    return this.query.trim() !== '' || this.isFiltered
  }

  get busy(): boolean {
    return this.words.busy || this.tools.busy
  }

  /** The last search is there again, and asked again: there may be more by now. */
  open() {
    this.#learning = newKey()
    this.#send({ type: 'search', key: this.#learning, query: '', titles: true })
    this.#ask()
  }

  close() {
    this.#learning = undefined
    this.words.close()
    this.tools.close()
  }

  type(query: string) {
    this.query = query
    this.#ask()
  }

  /** Shows only these; once more, all. */
  only(filter: { kind?: PaletteKind; agent?: string; days?: number }) {
    if ('kind' in filter) this.kind = this.kind === filter.kind ? undefined : filter.kind
    if ('days' in filter) this.days = this.days === filter.days ? undefined : filter.days
    if ('agent' in filter) this.agent = this.agent === filter.agent ? undefined : filter.agent
    if ('kind' in filter) this.toolsOpen = this.kind === 'tool'
    this.#ask()
  }

  take(found: Found) {
    const isMine = this.words.take(found) || found.key === this.#learning
    if (isMine && found.agents) this.agents = found.agents
    if (isMine && found.titled) this.titled = found.titled
    this.tools.take(found)
  }

  forget(conversation: string) {
    for (const search of [this.words, this.tools]) search.forget(conversation)
    this.titled = this.titled.filter(({ id }) => id !== conversation)
  }

  /** Whether it was a search that the hub refused. */
  refuse(key: string | undefined, error: string): boolean {
    return this.words.refuse(key, error) || this.tools.refuse(key, error)
  }

  #ask() {
    const { query, kind, agent, days, asked } = this
    if (!asked) this.titled = []
    const since = days === undefined ? undefined : new Date().setHours(0, 0, 0, 0) - (days - 1) * DAY_MS
    const rest: SearchFilter = { agent, since, files: kind === 'file' || undefined }
    const said = kind === 'message' || kind === 'question' ? [kind] : (['message', 'question'] as const)
    this.words.type(query, { ...rest, kinds: [...said], titles: true }, asked && kind !== 'tool')
    this.tools.type(query, { ...rest, kinds: ['tool'] }, asked && kind !== 'message' && kind !== 'question')
  }
}
