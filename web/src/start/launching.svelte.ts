import type { Catalogue, FolderPage, LaunchableAgent, RunningAgent } from '../../../src/protocol/frames/launching.ts'
import type { TimelineFrame } from '../../../src/protocol/frames/timeline.ts'
import { FolderFiles } from '../files/folder-files.svelte.ts'
import { newKey } from '../state/hub/key.ts'
import type { Link } from '../state/hub/link.svelte.ts'
import { KeptSessions } from './pickers/kept-sessions.svelte.ts'

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
  /** The agents that run, as they were when somebody looked last. */
  running = $state.raw<RunningAgent[]>()
  /** Why one was not stopped. */
  unstopped = $state<string>()
  /** Those that were told to stop: one, or all that were there. */
  #stopping = $state.raw<{ key: string; runners: string[] }>()
  readonly sessions: KeptSessions
  readonly files: FolderFiles
  readonly #send: Link['send']
  /** The last page that was asked for: what was asked before is not shown any more. */
  #browsing: { key: string; before?: FolderPage } | undefined

  constructor(send: Link['send']) {
    this.#send = send
    this.sessions = new KeptSessions(send)
    this.files = new FolderFiles(send)
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

  look() {
    this.#send({ type: 'processes', key: newKey() })
  }

  /** One of them, or all. */
  stop(runner?: string) {
    const key = newKey()
    const runners = runner === undefined ? (this.running ?? []).map((one) => one.runner) : [runner]
    this.unstopped = undefined
    this.#stopping = { key, runners: [...(this.#stopping?.runners ?? []), ...runners] }
    this.#send({ type: 'stop_processes', key, ...(runner !== undefined && { runner }) })
  }

  isStopping(runner: string): boolean {
    return this.#stopping?.runners.includes(runner) ?? false
  }

  take(
    frame: Extract<
      TimelineFrame,
      { type: 'catalogue' | 'folders' | 'processes' | 'sessions' | 'files_found' | 'file' }
    >,
  ) {
    if (frame.type === 'files_found' || frame.type === 'file') return this.files.take(frame)
    if (frame.type === 'sessions') return this.sessions.take(frame)
    if (frame.type === 'processes') {
      this.running = frame.processes
      // One that is gone may begin again.
      const there = frame.processes.map(({ runner }) => runner)
      if (this.#stopping)
        this.#stopping = { ...this.#stopping, runners: this.#stopping.runners.filter((one) => there.includes(one)) }
      return
    }
    if (frame.type === 'catalogue') {
      const { type: _, key: __, ...catalogue } = frame
      this.catalogue = catalogue
      if (frame.key !== undefined && frame.key === this.allowed?.key) this.allowed = undefined
    } else if (frame.type === 'folders' && frame.key === this.#browsing?.key) {
      const { type: _, key: __, ...page } = frame
      const { before } = this.#browsing
      this.page = before ? { ...page, names: [...before.names, ...page.names] } : page
      this.problem = this.#browsing = undefined
    }
  }

  /** Whether it was what the hub refused. */
  refuse(key: string | undefined, problem: string): boolean {
    if (key === undefined) return false
    if (this.sessions.refuse(key, problem) || this.files.refuse(key, problem)) return true
    if (key === this.#stopping?.key) {
      this.#stopping = undefined
      this.unstopped = problem
      return true
    }
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
