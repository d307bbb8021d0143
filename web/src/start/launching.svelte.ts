import type { Catalogue, FolderPage, LaunchableAgent } from '../../../src/protocol/frames/launching.ts'
import type { TimelineFrame } from '../../../src/protocol/frames/timeline.ts'
import { newKey } from '../state/hub/key.ts'
import type { Link } from '../state/hub/link.svelte.ts'

/** What the hub can start, and the folders of its machine. */
export class Launching {
  catalogue = $state.raw<Catalogue>()
  /** The folder that is looked into, as far as it was read. */
  page = $state.raw<FolderPage>()
  /** Why the folder that was asked for is not shown. */
  problem = $state<string>()
  /** Why an adapter was not fetched. */
  unfetched = $state.raw<{ agent: string; problem: string }>()
  /** The agent whose adapter was just allowed. */
  allowed = $state.raw<{ agent: string; key: string }>()
  readonly #send: Link['send']
  /** The last page that was asked for: what was asked before is not shown any more. */
  #browsing: { key: string; before?: FolderPage } | undefined

  constructor(send: Link['send']) {
    this.#send = send
  }

  /** The hub tells of changes from then on. */
  ask() {
    this.#send({ type: 'catalogue', key: newKey() })
  }

  /** Fetches its adapter, in the version that is shown. */
  allow({ id, adapter }: LaunchableAgent) {
    if (!adapter || this.isFetching(id)) return
    this.unfetched = undefined
    this.allowed = { agent: id, key: newKey() }
    this.#send({ type: 'allow_adapter', key: this.allowed.key, agent: id, version: adapter.version })
  }

  isFetching(agent: string): boolean {
    const { adapter } = this.catalogue?.agents.find(({ id }) => id === agent) ?? {}
    return adapter?.fetching === true || this.allowed?.agent === agent
  }

  browse(folder?: string) {
    const key = newKey()
    this.#browsing = { key }
    this.#send({ type: 'browse', key, ...(folder !== undefined && { folder }) })
  }

  /** The next names of the same folder. */
  more() {
    const { page } = this
    if (!page) return
    const key = newKey()
    this.#browsing = { key, before: page }
    this.#send({ type: 'browse', key, folder: page.folder, after: page.names.at(-1) })
  }

  take(frame: Extract<TimelineFrame, { type: 'catalogue' | 'folders' }>) {
    if (frame.type === 'catalogue') {
      const { agents, recent, roots } = frame
      this.catalogue = { agents, recent, roots }
      if (frame.key !== undefined && frame.key === this.allowed?.key) this.allowed = undefined
    } else if (frame.key === this.#browsing?.key) {
      const { type: _, key: __, ...page } = frame
      const { before } = this.#browsing
      this.page = before ? { ...page, names: [...before.names, ...page.names] } : page
      this.problem = this.#browsing = undefined
    }
  }

  /** Whether it was what the hub refused. */
  refuse(key: string | undefined, problem: string): boolean {
    if (key === undefined) return false
    if (key === this.allowed?.key) {
      this.unfetched = { agent: this.allowed.agent, problem }
      this.allowed = undefined
      return true
    }
    if (key !== this.#browsing?.key) return false
    this.#browsing = undefined
    this.problem = problem
    return true
  }
}
