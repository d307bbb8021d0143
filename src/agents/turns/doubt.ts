import { setTimeout as pause } from 'node:timers/promises'
import type { DrivenSession, TurnEnd } from '../driver.ts'
import type { Store } from '../store.ts'
import type { UiState } from './ui-state.ts'

/**
 * Words that were about to be given when the agent or the orchestrator was lost: nobody but the agent knows whether
 * they came, and it is asked by their place. The same words may have been said before.
 */
export function isDoubtful({ ended, heard }: UiState): boolean {
  return !ended && !heard
}

/** What is known of the session that an agent goes on with. */
export function knownOf(store: Store, conversation: string): { prompts?: number; doubtful?: true } {
  const state = store.uiState(conversation)
  const prompts = store.promptsIn(conversation)
  return { ...(prompts !== undefined && { prompts }), ...(state && isDoubtful(state) && { doubtful: true }) }
}

/** It never came: it is given like something new, to whoever is there then. */
export function giveBack(store: Store, conversation: string, { texts }: UiState, { prompts }: DrivenSession) {
  store.together(() => {
    for (const id of texts) store.setText(id, 'received')
    store.dropUi(conversation)
    store.savePrompts(conversation, prompts)
  })
}

/**
 * The number of prompts in the session after a turn; `undefined` where it has to be looked up. A prompt that an agent
 * was lost with, or that it failed without a word, may or may not be there.
 */
export function promptsAfter(before: number | undefined, end: TurnEnd, { heard, steered }: UiState, isGone: boolean) {
  if (end.unsent) return before
  const isSure = !isGone && !steered && (heard || end.outcome === 'ended')
  return before === undefined || !isSure ? undefined : before + 1
}

/** An agent without a session to go on with has nothing to look it up in. */
export function canTell(store: Store, conversation: string): boolean {
  return typeof store.agentSession(conversation) === 'string'
}

export function isLost({ lost }: DrivenSession): Promise<boolean> {
  return Promise.race([lost.then(() => true), pause(0, false)])
}
