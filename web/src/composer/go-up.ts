import { beginChange, lastRevisable } from '../state/conversation/changing.ts'
import type { Talk } from '../state/conversation/talk.svelte.ts'
import { optionsIn } from './question/walk.ts'

/** From an empty composer to what is offered above it, or else to the last message that can still be changed. */
export function goUp(event: KeyboardEvent, dock: HTMLElement, talk: Talk | undefined) {
  const [option] = optionsIn(dock)
  if (option) return option.focus()
  const message = event.isComposing || !talk ? undefined : lastRevisable(talk)
  if (!talk || !message) return
  // It would move the caret within what is there then.
  event.preventDefault()
  beginChange(talk, message)
}
