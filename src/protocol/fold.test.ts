import { expect, test } from 'vitest'
import type { Body, Entry } from './entry.ts'
import { emptyConversation, fold } from './fold.ts'

function entry(place: number, body: Body): Entry {
  return { id: String(place).padStart(16, '0'), conversation: 'work', at: place, body }
}

test('[U11] the last line of a conversation is one line of words, never the data of an image', () => {
  const said: Body = { kind: 'message', author: 'user', by: 'ada', text: 'Two\n  lines' }
  const image: Body = { ...said, text: 'iVBORw0KGgo=', mime: 'image/png' }
  const first = fold(emptyConversation('work'), entry(1, said))
  expect(first.preview).toBe('Two lines')
  expect(fold(first, entry(2, image)).preview).toBe('Image')
})

test('[W15] folding an entry twice changes nothing', () => {
  const asked = entry(1, { kind: 'question', by: 'robot', text: 'Deploy?' })
  const once = fold(emptyConversation('work'), asked)
  expect(fold(once, asked)).toBe(once)
})
