import { BEFORE_ALL } from './bounds.ts'
import type { ConversationState } from './conversation.ts'

/** Why nobody answers what a person says, in the words that every door has for it. */
export const UNANSWERED = {
  no_runner: 'Waiting for an agent. Start one with parley run, and it answers what you said.',
  which_runner: 'Waiting for an agent. Several runners could answer: choose one in the page.',
} as const

export type Unanswered = keyof typeof UNANSWERED

/** Nobody who could answer has ever been there. Words for an agent that is only away wait for that agent. */
export function isNobodys({ wish: runSettings, agent, folder, messages }: ConversationState): boolean {
  const hadAgent = agent !== undefined || folder !== undefined || messages.delivered !== BEFORE_ALL
  return runSettings?.runner === undefined && !hadAgent
}

export function hasWords({ messages }: ConversationState): boolean {
  return messages.last !== BEFORE_ALL
}
