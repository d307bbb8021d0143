import { BEFORE_ALL } from '../../../../src/protocol/entries/entry.ts'
import type { ErrorCode } from '../../../../src/protocol/errors.ts'
import type { TimelineFrame } from '../../../../src/protocol/frames/timeline.ts'
import type { TimelineCommand } from '../../../../src/protocol/frames/timeline-command.ts'
import { backoff } from './backoff.ts'
import { newKey } from './key.ts'
import { reached } from './reached.ts'

type Hello = Extract<TimelineCommand, { type: 'hello' }>
export type Request = Exclude<TimelineCommand, Hello>

/**
 * `outdated`: the hub says something this page is too old to understand; only a reload helps. `signed-out`: the hub is
 * there and does not let this browser in.
 */
type LinkStatus = 'connecting' | 'open' | 'lost' | 'signed-out' | 'outdated'

export interface LinkParts {
  url: string
  /** The subprotocols that the socket offers. */
  offers?: () => string[]
  hello: () => Hello
  receive: (frame: TimelineFrame) => void
  /** Nothing more is heard for now. */
  lost?: () => void
  /** Whether the hub is there and refuses this browser: a page cannot see why its socket was refused. */
  turnedAway?: () => Promise<boolean>
  wait?: (attempt: number) => number
  /** How long words are still taken after the connection was lost. */
  graceMs?: number
  answerLimitMs?: number
  /**
   * The page came from this hub a moment ago, so that both are of one build and what it says needs no checking. Whoever
   * answers once the connection was lost may be newer.
   */
  own?: boolean
}

/** A frame of the hub; undefined when this page is too old to understand it. */
type Read = (text: string) => TimelineFrame | undefined

/** An answer takes milliseconds; after this long the connection is dead, whatever the socket says. */
const ANSWER_LIMIT_MS = 15_000
/** The hub pings every 25 s, but a page cannot see pings; a link silent for longer is asked for a sign of life. */
const SILENCE_MS = 30_000

/** A hub that restarts is back sooner; after that, nobody knows when what is tapped would be decided. */
const GRACE_MS = 10_000

/** Keeps one conversation with the hub going over any number of sockets. No command is lost and none happens twice. */
export class Link {
  status = $state<LinkStatus>('connecting')
  /** The hub was never reached, or is gone for long. */
  away = $state(false)
  readonly #parts: LinkParts
  readonly #unanswered = new Map<string, Request>()
  readonly #written = new Set<string>()
  #socket: WebSocket | undefined
  /** Frames of the hub wait until it is fetched. */
  #read: Read | undefined
  #unread: string[] = []
  #attempt = 0
  #heardAt = 0
  #retry: ReturnType<typeof setTimeout> | undefined
  #limit: ReturnType<typeof setTimeout> | undefined
  #grace: ReturnType<typeof setTimeout> | undefined

  constructor(parts: LinkParts) {
    this.#parts = parts
    if (parts.own) this.#read = JSON.parse
  }

  open() {
    clearTimeout(this.#retry)
    this.#retry = undefined
    const socket = new WebSocket(this.#parts.url, this.#parts.offers?.())
    this.#socket = socket
    socket.onopen = () => socket.send(JSON.stringify(this.#parts.hello()))
    socket.onmessage = ({ data }) => {
      this.#unread.push(String(data))
      this.#hearAll()
    }
    socket.onclose = () => this.#lose()
    if (!this.#read) void this.#learn()
  }

  /** Nothing should be decided now: it would wait for a hub that may never come. */
  get readOnly(): boolean {
    return this.away || this.shut
  }

  /** Nothing goes out of this page until the person has done something about it. */
  get shut(): boolean {
    return this.status === 'signed-out' || this.status === 'outdated'
  }

  /** Why nothing can be decided, in words. */
  get without(): string {
    return this.status === 'signed-out' ? 'Signed out' : 'Offline'
  }

  close() {
    clearTimeout(this.#retry)
    clearTimeout(this.#grace)
    this.#drop()
  }

  /** Requests are kept until the hub answers, and sent again with the same key after a reconnect. */
  send(request: Request) {
    this.#unanswered.set(request.key, request)
    if (this.status === 'open') this.#write(request)
  }

  /** Whether it could be kept from the hub: what was written once may have come there. */
  cancel(key: string): boolean {
    return !this.#written.has(key) && this.#unanswered.delete(key)
  }

  /** The network or the person came back: do not sit out the wait, and do not trust a link that was silent. */
  hurry() {
    if (this.#retry !== undefined) this.open()
    else if (this.status === 'open' && Date.now() - this.#heardAt > SILENCE_MS) {
      this.send({ type: 'list', key: newKey(), before: BEFORE_ALL })
    }
  }

  #write(request: Request) {
    this.#written.add(request.key)
    this.#socket?.send(JSON.stringify(request))
    if (!takesLong(request))
      this.#limit ??= setTimeout(() => this.#lose(), this.#parts.answerLimitMs ?? ANSWER_LIMIT_MS)
  }

  async #learn() {
    const found = await reached(import('./understood.ts'))
    // The hub has gone again before it came.
    if (!found) return this.#lose()
    this.#read = found.understood
    this.#hearAll()
  }

  #hearAll() {
    while (this.#read && this.#unread.length > 0) this.#hear(this.#read(this.#unread.shift() ?? ''))
  }

  #hear(frame: TimelineFrame | undefined) {
    this.#heardAt = Date.now()
    if (!frame) {
      this.#drop()
      this.status = 'outdated'
      return
    }
    // A hub that ends decides nothing any more: the one before may have taken it, and the next one is told again.
    if (frame.type === 'refused' && frame.code === ('shutting_down' satisfies ErrorCode)) return
    if (frame.type === 'welcome') this.#attempt = 0
    if ('key' in frame && frame.key !== undefined) this.#answered(frame.key)
    this.#parts.receive(frame)
    if (frame.type === 'welcome') {
      this.status = 'open'
      this.away = false
      clearTimeout(this.#grace)
      for (const request of this.#unanswered.values()) this.#write(request)
    }
  }

  #answered(key: string) {
    this.#written.delete(key)
    this.#unanswered.delete(key)
    clearTimeout(this.#limit)
    this.#limit = undefined
    if (![...this.#unanswered.values()].every(takesLong)) {
      this.#limit = setTimeout(() => this.#lose(), this.#parts.answerLimitMs ?? ANSWER_LIMIT_MS)
    }
  }

  #lose() {
    this.#drop()
    if (this.status === 'connecting') this.away = true
    if (this.status === 'open') {
      this.status = 'lost'
      this.#grace = setTimeout(() => (this.away = true), this.#parts.graceMs ?? GRACE_MS)
    }
    void this.#askWhy()
    const wait = this.#parts.wait ?? backoff
    this.#retry = setTimeout(() => this.open(), wait(this.#attempt++))
  }

  async #askWhy() {
    const away = (await this.#parts.turnedAway?.()) ?? false
    if (this.status === 'open' || this.status === 'outdated') return
    if (away) this.status = 'signed-out'
    else if (this.status === 'signed-out') this.status = 'lost'
  }

  #drop() {
    clearTimeout(this.#limit)
    this.#limit = undefined
    this.#unread = []
    if (!this.#socket) return
    if (this.#read === JSON.parse) this.#read = undefined
    // A socket that is given up must not report its own end later, when another one is in its place.
    this.#socket.onopen = this.#socket.onmessage = this.#socket.onclose = null
    this.#socket.close()
    this.#socket = undefined
    this.#parts.lost?.()
  }
}

/** What is fetched or copied for it may take minutes. */
function takesLong(request: Request): boolean {
  return request.type === 'allow_adapter' || 'worktree' in request
}
