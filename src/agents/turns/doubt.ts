import { setTimeout as pause } from 'node:timers/promises'
import type { DrivenSession } from '../driver.ts'
import type { Store } from '../store.ts'
import { wordsOf } from '../user-text.ts'
import type { UiState } from './ui-state.ts'

/**
 * Words that were about to be given when the agent or the orchestrator was lost: nobody but the agent knows whether
 * they came.
 */
export function doubtfulWords(store: Store, conversation: string): string | undefined {
  const state = store.uiState(conversation)
  if (!state || !isDoubtful(state)) return undefined
  return store.given(state.texts).map(wordsOf).join('\n\n')
}

export function isDoubtful({ ended, heard }: UiState): boolean {
  return !ended && !heard
}

/** It never came: it is given like something new, to whoever is there then. */
export function giveBack(store: Store, conversation: string, { texts }: UiState) {
  store.together(() => {
    for (const id of texts) store.setText(id, 'received')
    store.dropUi(conversation)
  })
}

/** An agent without a session to go on with has nothing to look it up in. */
export function canTell(store: Store, conversation: string): boolean {
  return typeof store.agentSession(conversation) === 'string'
}

export function isLost({ lost }: DrivenSession): Promise<boolean> {
  return Promise.race([lost.then(() => true), pause(0, false)])
}
