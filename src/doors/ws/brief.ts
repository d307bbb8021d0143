import { bytesOf } from '../../chat/conversation/text-size.ts'
import type { ConversationState, OpenQuestion } from '../../protocol/entries/fold.ts'

/**
 * What the open questions of one frame may take; beyond it, and each that is larger than a line, only their beginnings
 * come.
 */
const WHOLE_BYTES = 256 * 1024
const LINE_BYTES = 1024
const BEGINNING = 200

/** The conversations of one frame: what is open in them may be large, and is read when it is shown. */
export function brief(conversations: ConversationState[]): ConversationState[] {
  let left = WHOLE_BYTES
  return conversations.map((state) => (state.open.length > 0 ? { ...state, open: state.open.map(shown) } : state))

  function shown(question: OpenQuestion): OpenQuestion {
    const bytes = bytesOf(question)
    if (bytes <= LINE_BYTES) return question
    left -= bytes
    if (left >= 0) return question
    left += bytes
    return shortened(question)
  }
}

function shortened({ text, approval, options: _, ...question }: OpenQuestion): OpenQuestion {
  return { ...question, text: beginning(text), shortened: true, ...(approval && { approval: calledIn(approval) }) }
}

function calledIn({ changes: _, options: __, reason, title, ...approval }: NonNullable<OpenQuestion['approval']>) {
  return { ...approval, input: '', ...(title !== undefined && { title: beginning(title) }) }
}

function beginning(text: string): string {
  return text.slice(0, BEGINNING).toWellFormed()
}
