import type { Runner } from '../../../src/protocol/driving.ts'
import { newKey } from './key.ts'
import type { Link } from './link.svelte.ts'

interface Wanted {
  runner: string
  mode?: string
  model?: string
}

/** Who offers to drive conversations, and the one that the person is about to begin. */
export class Runners {
  list = $state.raw<Runner[]>([])
  /** The first message of a new conversation; it stays until that has begun. */
  words = $state('')
  /** The command under way. */
  starting = $state<string>()
  problem = $state<string>()
  /** The conversation that it began. */
  begun = $state<string>()
  readonly #send: Link['send']

  constructor(send: Link['send']) {
    this.#send = send
  }

  know(runners: Runner[] = []) {
    this.list = runners
  }

  of(name: string | undefined): Runner | undefined {
    return this.list.find((runner) => runner.name === name)
  }

  /** With the first message as it is written. */
  start(wanted: Wanted) {
    if (this.starting !== undefined || this.words.trim() === '') return
    this.starting = newKey()
    this.problem = this.begun = undefined
    this.#send({ type: 'start', key: this.starting, text: this.words, ...wanted })
  }

  started(key: string, conversation: string) {
    if (key !== this.starting) return
    this.starting = undefined
    this.words = ''
    this.begun = conversation
  }

  /** Whether it was what the hub refused. */
  refuse(key: string | undefined, error: string): boolean {
    if (key === undefined || key !== this.starting) return false
    this.starting = undefined
    this.problem = error
    return true
  }
}
