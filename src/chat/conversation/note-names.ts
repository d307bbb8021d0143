import { inboxUri } from '../../protocol/frames/inbox.ts'

/** How the names begin of all notes of a kind. */
export const [MARK, HELD] = ['mark ', 'held ']

/**
 * How the names begin of how far the subscribers of an inbox are. A URI holds no blank, so that no two are the same.
 */
export function watermarksOf(conversation: string | undefined): string {
  return `watermark ${inboxUri(conversation)} `
}

/** How the names begin of what people keep about a conversation. */
export function marksOf(conversation: string): string {
  return `${MARK}[${JSON.stringify(conversation)},`
}

/** The conversation and the person of such a note. */
export function whoseMark(name: string): [conversation: string, person: string] {
  return JSON.parse(name.slice(MARK.length))
}

/** The name of the note that says who drives its agent. */
export function heldIn(conversation: string): string {
  return `${HELD}${JSON.stringify(conversation)}`
}

/** The conversation of such a note. */
export function whereHeld(name: string): string {
  return JSON.parse(name.slice(HELD.length))
}
