import type { Attachment } from '../../../src/protocol/entries/attachment.ts'
import { BEFORE_ALL } from '../../../src/protocol/entries/entry.ts'
import type { Page } from '../state/conversation/timeline.svelte.ts'
import { Uploads } from '../state/conversation/uploads.svelte.ts'
import { newKey } from '../state/hub/key.ts'
import type { Link, Request } from '../state/hub/link.svelte.ts'
import { Launching } from './launching.svelte.ts'

/** What somebody said first is among these. */
const FIRST_ENTRIES = 20

/** With whom, where and how. */
export type StartRequest = Omit<Extract<Request, { type: 'start' }>, 'type' | 'key' | 'text' | 'attachments'>

/** The conversation that the person is about to begin. */
export class Starting {
  /** The first message; it stays until the conversation has begun. */
  words = $state('')
  /** Its files. */
  readonly uploads = new Uploads()
  readonly launching: Launching
  /** The command under way. */
  key = $state<string>()
  problem = $state<string>()
  /** Many agents are awake: another one is started when the person insists. */
  isOneMore = $state(false)
  /** The conversation that it began. */
  begun = $state<string>()
  readonly #send: Link['send']
  #files: Attachment[] = []
  /** The beginning of another conversation, of which the first words are wanted. */
  #reading: string | undefined
  #said = ''

  constructor(send: Link['send']) {
    this.#send = send
    this.launching = new Launching(send)
  }

  get busy(): boolean {
    return this.key !== undefined || this.uploads.held
  }

  get saysSomething(): boolean {
    return this.words.trim() !== '' || this.uploads.list.length > 0
  }

  /** Starts with the first message as it is written, once its files are with the hub. */
  start(wanted: StartRequest) {
    if (this.busy || (!this.saysSomething && wanted.resume === undefined)) return
    const more = this.isOneMore ? { more: true as const } : {}
    this.problem = this.begun = undefined
    this.isOneMore = false
    // What was written stays for the next one.
    if (wanted.resume !== undefined) this.#send({ type: 'start', key: this.#begin(), ...wanted, ...more })
    else this.uploads.whenDone(() => this.#startNow({ ...wanted, ...more }))
  }

  #startNow(wanted: StartRequest) {
    const key = this.#begin()
    this.#files = this.uploads.take()
    const files = this.#files.length > 0 ? { attachments: this.#files } : {}
    this.#said = this.words
    this.#send({ type: 'start', key, text: this.words, ...files, ...wanted })
  }

  #begin(): string {
    this.#said = ''
    this.#files = []
    this.key = newKey()
    return this.key
  }

  /** Writes what the person said first in this conversation, unless they have written something. */
  repeat(conversation: string) {
    this.#reading = newKey()
    this.#send({ type: 'read', key: this.#reading, conversation, after: BEFORE_ALL, limit: FIRST_ENTRIES })
  }

  /** Whether it was this page that was wanted here. */
  read({ key, entries }: Page): boolean {
    if (key === undefined || key !== this.#reading) return false
    this.#reading = undefined
    const [first] = entries.flatMap(({ body }) => (body.kind === 'message' && body.author === 'user' ? body.text : []))
    if (first !== undefined && this.words === '') this.words = first
    return true
  }

  take(key: string, conversation: string) {
    if (key !== this.key) return
    this.key = undefined
    if (this.words === this.#said) this.words = ''
    this.begun = conversation
  }

  /** Whether it was what the hub refused. */
  refuse(key: string | undefined, error: string, code?: string): boolean {
    if (this.launching.refuse(key, error)) return true
    if (key === undefined || key !== this.key) return false
    this.key = undefined
    this.problem = error
    this.isOneMore = code === 'many_agents'
    this.uploads.giveBack(this.#files)
    return true
  }
}
