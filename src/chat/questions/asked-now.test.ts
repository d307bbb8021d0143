import { expect, test } from 'vitest'
import { STATELESS } from '../../protocol/entries/agent.ts'
import { createAskedNow } from './asked-now.ts'

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

test('[Q65] what one of them has asked is its own until its wait has ended', () => {
  const now = createAskedNow()
  now.begin(asks('deploy')).over(['1'])
  now.begin(asks('deploy', 'line-1')).over(['2'])
  expect([now.has('1'), now.has('2')]).toEqual([true, false])
  now.end('1')
  expect(now.has('1')).toBe(false)
})
