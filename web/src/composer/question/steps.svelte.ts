import type { OpenQuestion } from '../../../../src/protocol/entries/fold.ts'
import { isTyping } from '../../frame/keys/keys.ts'
import { isNextInWords } from '../../state/conversation/card.ts'
import type { Docked } from '../../state/conversation/docked.svelte.ts'

/** Whoever goes on to a step that offers nothing to choose can write at once. */
export function followSteps(docked: Docked, write: () => void) {
  let before: OpenQuestion | undefined
  $effect(() => {
    const now = docked.shown?.question
    if (now && isNextInWords(before, now) && !isTyping(document.activeElement)) write()
    before = now
  })
}
