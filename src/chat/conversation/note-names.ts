import { inboxUri } from '../../protocol/frames/inbox.ts'

/**
 * How the names begin of how far the subscribers of an inbox are. A URI holds no blank, so that no two are the same.
 */
export function watermarksOf(conversation: string | undefined): string {
  return `watermark ${inboxUri(conversation)} `
}

/** How the names begin of what people keep about a conversation. */
export function marksOf(conversation: string): string {
  return `mark [${JSON.stringify(conversation)},`
}

/** The name of the note that says who drives its agent. */
export function heldIn(conversation: string): string {
  return `held ${JSON.stringify(conversation)}`
}
