import { expect, test } from 'vitest'
import { STATELESS } from '../../protocol/entries/agent.ts'
import { BEFORE_ALL } from '../../protocol/entries/entry.ts'
import type { ConversationState } from '../../protocol/entries/fold.ts'
import type { Policing } from '../approvals/policing.ts'
import { createAskedNow } from './asked-now.ts'
import { fingerprint, newQuestions, placesOf } from './asking.ts'

const asks = (fingerprint: string, visit = STATELESS) => [
  { kind: 'question' as const, by: 'agent', text: 'Deploy?', fingerprint, visit },
]

test('[Q65] calls that nothing tells apart are crowded for as long as several ask the same', () => {
  const now = createAskedNow()
  const one = now.begin(asks('deploy'))
  expect(one.isCrowded()).toBe(false)
  const [two, three, other] = [now.begin(asks('deploy')), now.begin(asks('deploy')), now.begin(asks('test'))]
  expect([one, two, three, other].map(({ isCrowded }) => isCrowded())).toEqual([true, true, true, false])
  one.over([])
  expect(two.isCrowded()).toBe(true)
  two.over([])
  expect(three.isCrowded()).toBe(false)
  three.over([])
  expect(now.begin(asks('deploy')).isCrowded()).toBe(false)
})

test('[Q65] one question in common is enough', () => {
  const now = createAskedNow()
  const both = now.begin([...asks('deploy'), ...asks('test')])
  const one = now.begin(asks('test'))
  expect([both.isCrowded(), one.isCrowded()]).toEqual([true, true])
})

test('[Q65] what one of them has asked is its own until its wait has ended', () => {
  const now = createAskedNow()
  now.begin(asks('deploy')).over(['1'])
  now.begin(asks('deploy', 'line-1')).over(['2'])
  expect([now.has('1'), now.has('2')]).toEqual([true, false])
  now.end('1')
  expect(now.has('1')).toBe(false)
})

const ASKED = {
  kind: 'question',
  by: 'codex',
  asker: 'bot',
  text: 'Deploy?',
  fingerprint: 'same',
  visit: 'now',
} as const

test('[Q66] what one agent left is asked again, and what several may have left is not', () => {
  const placeAmong = (...visits: string[]) => {
    const open = visits.map((visit, n) => ({ ...ASKED, id: `${n}`, visit }))
    const state = { open, replies: { recent: [] } } as unknown as ConversationState
    return placesOf(state, [{ key: 'key', question: ASKED }], { isMeant: () => true, reached: () => false })[0]
  }
  expect([placeAmong(), placeAmong('a'), placeAmong('a', 'a')]).toEqual([undefined, '0', '0'])
  expect([placeAmong('a', 'b'), placeAmong('a', 'a', 'b'), placeAmong('a', 'now')]).toEqual([undefined, undefined, '1'])
})

test('[Q66] what a question is known by is the same at every hub, and hangs on who asks and what is shown', () => {
  const { fingerprint: _, ...asked } = ASKED
  const own = fingerprint(asked)
  expect(own).toBe('J9B9KuSa7-jAvCwGg7J-nM')
  for (const same of [{ visit: 'other' }, { folder: '/work' }, { exchange: 'e' }, { expires_at: 5 }])
    expect(fingerprint({ ...asked, ...same })).toBe(own)
  for (const other of [{ by: 'kimi' }, { asker: 'other' }, { text: 'Test?' }, { quick_replies: ['Yes'] }])
    expect(fingerprint({ ...asked, ...other })).not.toBe(own)
})

test('[A40] rules see the folder of a conversation, and of a new one that of the agent which begins it', () => {
  const seen: (string | undefined)[] = []
  const put: Policing['put'] = ({ folder }, question) => {
    seen.push(folder)
    return question
  }
  for (const folder of [undefined, '/blog']) {
    const state = { folder, last: BEFORE_ALL } as ConversationState
    newQuestions(state, [{ key: 'key', question: ASKED }], [undefined], { title: 'Work', folder: '/shop', put })
  }
  expect(seen).toEqual(['/shop', '/blog'])
})
