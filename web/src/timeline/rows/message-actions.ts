import { beginning } from '../../start/beginning.svelte.ts'
import { beginChange, takeBack as takeMessageBack } from '../../state/conversation/changing.ts'
import type { Conversation } from '../../state/conversation/conversation.svelte.ts'
import type { Hub } from '../../state/hub/hub.svelte.ts'
import type { Bubble } from '../../state/rows/row.ts'
import { quoted } from '../../text/markdown/quote.ts'

/** The place where the person is at work. */
export interface Here {
  hub: Hub
  conversation: Conversation
  /** Goes to the composer. */
  write(): void
}

/** The person's actions on a message; most of them go on in the composer. */
export function messageActions({ hub, conversation, write }: Here) {
  return { quote, answer, change, takeBack, wordsOf, writeAgain, canFork, fork }

  /** The quotation goes below whatever is written already. */
  function quote({ text }: Bubble) {
    conversation.draft = `${conversation.draft === '' ? '' : `${conversation.draft.trimEnd()}\n\n`}${quoted(text)}\n\n`
    write()
  }

  /** A question that is open gets its reply; anything else is what the next message is about. */
  function answer({ id = '', open }: Bubble) {
    if (open) conversation.turnTo(id)
    conversation.aimAt(open ? { kind: 'reply', question: id } : { kind: 'message', answers: id })
    write()
  }

  function change(row: Bubble) {
    beginChange(conversation, row)
    write()
  }

  function takeBack({ key }: Bubble) {
    takeMessageBack(hub.person, conversation, key)
  }

  /** The words of a message that was taken back here. */
  function wordsOf({ key }: Bubble): string {
    return conversation.revisions.wordsOf(key) ?? ''
  }

  /** Somebody takes new conversations. */
  function canFork(): boolean {
    return hub.roster.launches || hub.roster.runners.length > 0
  }

  /** Begins another conversation with what was said up to here. */
  function fork({ id: entry }: Bubble) {
    beginning.now = { fork: { of: conversation, entry } }
  }

  function writeAgain(row: Bubble) {
    conversation.draft = [conversation.draft.trimEnd(), wordsOf(row)].filter(Boolean).join('\n\n')
    write()
  }
}
