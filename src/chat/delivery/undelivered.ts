import type { Attachment } from '../../protocol/entries/attachment.ts'
import type { Entry } from '../../protocol/entries/entry.ts'

/** A message of the person that the agent does not have yet. */
export interface Undelivered {
  id: string
  text: string
  attachments?: Attachment[]
  at: number
  /**
   * The question it answers, when the reply came after its call had ended, or how the message begins that it is about.
   */
  in_reply_to?: string
  /** How the words began that the agent has and this replaces, or takes back. */
  revises?: string
}

/**
 * The contents of one delivery, by id: messages and, where there are many, replies up to one; other replies by name.
 */
export interface Contents {
  messages_to?: string
  /** Those of them that tell what became of a call. */
  messages?: string[]
  /** Revisions after that, whose words came with what they revise. */
  ahead?: string[]
  replies: string[]
  replies_to?: string
  stop?: string
}

/** The contents that a session has handed to its agent or is about to. */
export interface Given extends Contents {
  /** The last stop that has arrived; others may be on their way, and come back. */
  heard?: string
  /** Messages are on their way just now, and may come back: the ones after them wait. */
  busy?: boolean
}

export function isOfPerson({ body }: Entry): boolean {
  return body.kind === 'revision' || (body.kind === 'message' && body.author === 'user')
}

export function isStop({ body }: Entry): boolean {
  return body.kind === 'message' && body.interrupt === true
}

/** It tells what became of a call. */
export function isOfCall({ body }: Entry): boolean {
  return body.kind === 'message' && body.call_id !== undefined
}
