import type { Chat } from '../chat/chat.ts'
import type { ParleyError } from '../protocol/errors.ts'

/** What a dialect is given of its connection. */
export interface Line {
  chat: Chat
  /** The conversation that `?session=` narrows to. */
  conversation?: string
  /** Who is at the other end. */
  by: string
  send(frame: string | Buffer): void | Promise<void>
  /** The connection cannot go on; the client reconnects and resumes. */
  fail(error: unknown): void
}

/** A client of one wire format: what it says becomes commands, what happens becomes its frames. */
export interface Speaker {
  receive(text: string): void | Promise<void>
  refuse(error: ParleyError, text: string): void
  close(): void
}

export type Dialect = (line: Line) => Speaker
