import type { Attachment } from 'svelte/attachments'
import type { GrowingLines } from '../text/changes/growing-lines.ts'
import type { Numbering } from '../text/changes/spots.ts'
import { growingFrame } from '../text/code/growing-frame.ts'
import { visible } from '../text/visible.ts'
import { commentable } from './commentable.svelte.ts'
import type { Review } from './review.svelte.ts'

interface Framed {
  name: string
  lines: GrowingLines
  numbering: Numbering
  /** The number of the change in its entry. */
  change: number
  /** Lines can be commented on with it. */
  review: Review | undefined
}

/** All of a change, and no line goes on beyond the edge: what is allowed was there to be read. */
export function changeFrame({ name, lines, numbering, change, review }: Framed): Attachment<HTMLElement> {
  return (node) => {
    const { frame, stop } = growingFrame(visible(name), lines)
    node.replaceChildren(frame)
    const leave = review && commentable(frame, { review, change, numbering })
    return () => {
      stop()
      leave?.()
    }
  }
}
