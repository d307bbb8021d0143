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

test('[A14] a conversation keeps which tools are always allowed, each once, until they are taken back', () => {
  const want = (tool_name: string): Body => ({
    kind: 'question',
    by: 'robot',
    text: 'May I?',
    approval: { tool_name, input: '{}' },
  })
  const grant = (question: number, by = 'ada'): Body => ({
    kind: 'settlement',
    question: String(question).padStart(16, '0'),
    outcome: 'approved',
    by,
    always: 'granted',
  })
  const bodies: Body[] = [
    want('Bash'),
    grant(1),
    want('Write'),
    grant(3),
    want('Bash'),
    grant(5, 'bob'),
    { kind: 'permitted_call', by: 'robot', approval: { tool_name: 'Bash', input: '{}' }, granted_by: 'bob' },
    // Nothing that is open is settled by it.
    grant(1, 'eve'),
  ]
  const state = bodies.map((body, n) => entry(n + 1, body)).reduce(fold, emptyConversation('work'))
  expect(state.always?.map(({ tool_name, by, since }) => [tool_name, by, Number(since)])).toEqual([
    ['Write', 'ada', 4],
    ['Bash', 'bob', 6],
  ])
  const taken = fold(state, entry(9, { kind: 'revocation', by: 'ada', tool_name: 'Write' }))
  expect(taken.always?.map(({ tool_name }) => tool_name)).toEqual(['Bash'])
  expect(emptyConversation('work')).not.toHaveProperty('always')
})

test('[W15] folding an entry twice changes nothing', () => {
  const asked = entry(1, { kind: 'question', by: 'robot', text: 'Deploy?' })
  const once = fold(emptyConversation('work'), asked)
  expect(fold(once, asked)).toBe(once)
})
