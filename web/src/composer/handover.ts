import type { Conversation } from '../state/conversation/conversation.svelte.ts'

/** What a person waits for who gave the conversation to another runner. */
export function handover({ driven, state }: Pick<Conversation, 'driven' | 'state'>): string | undefined {
  const [before, next] = [driven?.runner, state.wish?.runner]
  if (before === undefined || next === undefined || before === next) return undefined
  return `“${before}” ends its agent here first; then “${next}” goes on`
}
