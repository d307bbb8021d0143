import { beginChange, lastRevisable } from '../state/conversation/changing.ts'
import type { Conversation } from '../state/conversation/conversation.svelte.ts'
import { optionsIn } from './question/walk.ts'

/**
 * The arrow leads from an empty composer to what is offered above it, or else to the last message that can still be
 * changed.
 */
export function goUp(event: KeyboardEvent, dock: HTMLElement, conversation: Conversation | undefined) {
  const [option] = optionsIn(dock)
  if (option) return option.focus()
  const message = event.isComposing || !conversation ? undefined : lastRevisable(conversation)
  if (!conversation || !message) return
  // It would move the caret within what is there then.
  event.preventDefault()
  beginChange(conversation, message)
}
