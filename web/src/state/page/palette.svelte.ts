import type { SearchFilter } from '../../../../src/protocol/frames/search.ts'
import type { TimelineFrame } from '../../../../src/protocol/frames/timeline.ts'
import { hasFilters, readQuery } from '../../../../src/protocol/search/search-filters.ts'
import { fitsAgent } from '../../../../src/protocol/search/wanted-conversation.ts'
import { agentName } from '../../text/agent.ts'
import { newKey } from '../hub/key.ts'
import type { Link } from '../hub/link.svelte.ts'
import { Search } from './search.svelte.ts'

type Found = Extract<TimelineFrame, { type: 'found' }>
type Titled = NonNullable<Found['titled']>

export type PaletteKind = 'message' | 'question' | 'tool' | 'file'

/** So many agents are named to who looked for another one. */
const NAMED = 5

const DAY_MS = 24 * 60 * 60_000

/**
 * The person's search, and what the hub found: messages, and apart from them what agents did, which would otherwise
 * crowd them out.
 */
export class Palette {
  query = $state('')
  /** The query as it is understood. */
  wanted = $state.raw(readQuery(''))
  kind = $state<PaletteKind>()
  agent = $state<string>()
  /** The number of days, today among them. */
  days = $state<number>()
  readonly words: Search
  readonly tools: Search
  /** The conversations that are called so. */
  titled = $state.raw<Titled>([])
  /** They are called so but for one letter, because none is called so. */
  titledSimilar = $state(false)
  /** The agents that can be looked for. */
  agents = $state.raw<string[]>([])
  /** Whether what agents did is shown, and not only that there is something. */
  toolsOpen = $state(false)
  readonly #send: Link['send']
  #learning: string | undefined
  #hasLearned = $state(false)

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
    return this.wanted.words.trim() !== '' || this.isFiltered || hasFilters(this.wanted)
  }

  /** What keeps the query from being understood. */
  get problem(): string | undefined {
    const { problem, agents } = this.wanted
    if (problem || !this.#hasLearned) return problem
    const unknown = agents.find((pattern) => !this.agents.some((by) => fitsAgent(pattern, by)))
    if (unknown === undefined) return undefined
    const known = this.agents.slice(0, NAMED).map(agentName).join(', ')
    return `Unknown agent “${unknown}”${known && `; known are ${known}`}`
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
    if (isMine && found.agents) this.#learn(found.agents)
    if (isMine && found.titled) {
      this.titled = found.titled
      this.titledSimilar = found.titled_similar === true
    }
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

  /** An agent that was looked for may be known only now. */
  #learn(agents: string[]) {
    const isNews = this.wanted.agents.length > 0 && agents.join() !== this.agents.join()
    this.agents = agents
    this.#hasLearned = true
    if (isNews) this.#ask()
  }

  #ask() {
    this.wanted = readQuery(this.query)
    const { wanted, kind, days, problem } = this
    const agent = this.#agents()
    const asked = this.asked && problem === undefined && agent?.length !== 0
    if (!asked) this.titled = []
    const day = days === undefined ? undefined : new Date().setHours(0, 0, 0, 0) - (days - 1) * DAY_MS
    const since = Math.max(day ?? 0, wanted.since ?? 0) || undefined
    const { until, waiting, folders } = wanted
    const places = { waiting, ...(folders.length > 0 && { folders }) }
    const rest: SearchFilter = { agent, since, until, ...places, files: kind === 'file' || undefined }
    const said = kind === 'message' || kind === 'question' ? [kind] : (['message', 'question'] as const)
    this.words.type(wanted.words, { ...rest, kinds: [...said], titles: true }, asked && kind !== 'tool')
    this.tools.type(wanted.words, { ...rest, kinds: ['tool'] }, asked && kind !== 'message' && kind !== 'question')
  }

  /** Those that the chip and the query mean, by the names that their entries have. */
  #agents(): SearchFilter['agent'] {
    const { agents } = this.wanted
    if (agents.length === 0) return this.agent
    const meant = this.agents.filter((by) => agents.some((pattern) => fitsAgent(pattern, by)))
    // Nobody is both.
    return this.agent === undefined ? meant : meant.filter((by) => by === this.agent)
  }
}
