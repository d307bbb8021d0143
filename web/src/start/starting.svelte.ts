import { newKey } from '../state/key.ts'
import type { Link } from '../state/link.svelte.ts'

interface Wanted {
  runner: string
  mode?: string
  model?: string
}

/** The conversation that the person is about to begin. */
export class Starting {
  /** The first message; it stays until the conversation has begun. */
  words = $state('')
  /** The command under way. */
  key = $state<string>()
  problem = $state<string>()
  /** The conversation that it began. */
  begun = $state<string>()
  readonly #send: Link['send']

  constructor(send: Link['send']) {
    this.#send = send
  }

  /** With the first message as it is written. */
  start(wanted: Wanted) {
    if (this.key !== undefined || this.words.trim() === '') return
    this.key = newKey()
    this.problem = this.begun = undefined
    this.#send({ type: 'start', key: this.key, text: this.words, ...wanted })
  }

  take(key: string, conversation: string) {
    if (key !== this.key) return
    this.key = undefined
    this.words = ''
    this.begun = conversation
  }

  /** Whether it was what the hub refused. */
  refuse(key: string | undefined, error: string): boolean {
    if (key === undefined || key !== this.key) return false
    this.key = undefined
    this.problem = error
    return true
  }
}
