import type { SessionPage } from '../../../../src/protocol/frames/launching.ts'
import { newKey } from '../../state/hub/key.ts'
import type { Link } from '../../state/hub/link.svelte.ts'

/** One that its agent keeps of a folder. */
export type KeptSession = SessionPage['sessions'][number]

/** What a page continues. */
interface Behind {
  before: SessionPage
  came(): void
}

/** The sessions of an agent in a folder, as far as they were read. */
export class KeptSessions {
  page = $state.raw<SessionPage>()
  /** Why they are not shown. */
  problem = $state<string>()
  readonly #send: Link['send']
  /** The last page that was asked for: what was asked before is not shown any more. */
  #asking: ({ key: string } & Partial<Behind>) | undefined

  constructor(send: Link['send']) {
    this.#send = send
  }

  look(agent: string, folder: string) {
    this.page = this.problem = undefined
    this.#ask(agent, folder)
  }

  /** Resolves when the next ones are there, or why not. */
  more(): Promise<void> {
    const { page } = this
    if (page?.next === undefined || this.#asking) return Promise.resolve()
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#ask(page.agent, page.folder, { before: page, came: resolve })
    return promise
  }

  #ask(agent: string, folder: string, behind?: Behind) {
    const key = newKey()
    this.#asking = { key, ...behind }
    this.#send({ type: 'sessions', key, agent, folder, ...(behind && { after: behind.before.next }) })
  }

  take({ key, ...page }: SessionPage & { key: string }) {
    if (key !== this.#asking?.key) return
    const { before, came } = this.#asking
    this.page = before ? { ...page, sessions: [...before.sessions, ...page.sessions] } : page
    this.#asking = this.problem = undefined
    came?.()
  }

  /** Whether it was what the hub refused. */
  refuse(key: string, problem: string): boolean {
    if (key !== this.#asking?.key) return false
    this.#asking = undefined
    this.problem = problem
    return true
  }
}
