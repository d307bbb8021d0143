import { expect, test } from 'vitest'
import type { Conversation } from '../state/conversation/conversation.svelte.ts'
import { handover } from './handover.ts'

test('[O217] the page says which runner has to let go before the next one goes on', () => {
  expect(between('one', 'other')).toBe('“one” ends its agent here first; then “other” goes on')
  expect(between('one', 'one')).toBeUndefined()
  expect(between('one', undefined)).toBeUndefined()
  expect(between(undefined, 'other')).toBeUndefined()
})

function between(runner: string | undefined, next: string | undefined) {
  const driven = { state: 'idle', ...(runner !== undefined && { runner }) }
  return handover({ driven, state: { wish: { runner: next } } } as unknown as Conversation)
}
