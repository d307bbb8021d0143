import { expect, test } from 'vitest'
import { LOCAL_AGENT } from '../../protocol/local.ts'
import type { Proposed } from '../conversation/decision.ts'
import { bytesOf } from '../conversation/text-size.ts'
import { add, createOpenLimits, NOTHING, payersOf, type Taken } from './open-limits.ts'

const MIB = 1024 * 1024

function opened() {
  const open = new Map<string, Taken>()
  const { admit } = createOpenLimits({ openOf: (payer) => open.get(payer) ?? NOTHING })
  return { admit, has: (payer: string, count: number, bytes = 0) => add(open, payer, { count, bytes }) }
}

const asks = (asker: string, more: object = {}) =>
  [{ body: { kind: 'question', by: 'codex', text: 'Deploy?', asker, ...more } }] as unknown as Proposed[]
const payers = (asker: string, folder?: string) => payersOf('work', { by: 'codex', asker, folder })

test('[S67] what is open and what is being asked count together, until that is open or refused', () => {
  const { admit, has } = opened()
  has('ada', 4999)
  const over = admit('work', asks('ada'))
  expect(() => admit('work', asks('ada'))).toThrow(expect.objectContaining({ code: 'too_much_open' }))
  expect(() => admit('work', asks('bob'))).not.toThrow()
  over()
  admit('work', asks('ada'))()
  has('ada', 1)
  expect(() => admit('work', asks('ada'))).toThrow('At most 5000 questions, of 17 MB in all, can be open for one agent')
  expect(() => admit('work', [{ body: { kind: 'message' } }] as unknown as Proposed[])).not.toThrow()
})

test('[S67] the bytes count, too', () => {
  const { admit, has } = opened()
  const question = asks('ada')
  const [size = 0] = question.map(({ body }) => bytesOf(body))
  has('ada', 1, 16 * MIB - size)
  admit('work', question)()
  has('ada', 1, 1)
  expect(() => admit('work', question)).toThrow(expect.objectContaining({ code: 'too_much_open' }))
})

test('[S99] agents without a token have each their own, and all together eight times as much', () => {
  const [own = '', together = '', ...others] = payers(LOCAL_AGENT, '/shop')
  expect([together, others]).toEqual([LOCAL_AGENT, []])
  expect(payers('ada')).toEqual(['ada'])
  expect(own).not.toBe(payers(LOCAL_AGENT, '/site')[0])
  const { admit, has } = opened()
  has(own, 5000)
  has(together, 39_999)
  expect(() => admit('work', asks(LOCAL_AGENT, { folder: '/shop' }))).toThrow('one agent')
  const over = admit('work', asks(LOCAL_AGENT, { folder: '/site' }))
  expect(() => admit('work', asks(LOCAL_AGENT, { folder: '/third' }))).toThrow(
    'At most 40000 questions, of 134 MB in all, can be open for all agents without a token',
  )
  over()
  has(together, 0, 8 * 16 * MIB)
  expect(() => admit('work', asks(LOCAL_AGENT, { folder: '/site' }))).toThrow('134 MB')
})

test('[S67] who has nothing open is not kept', () => {
  const all = new Map<string, Taken>()
  add(all, 'ada', { count: 2, bytes: 20 })
  add(all, 'ada', { count: -1, bytes: -5 })
  expect([...all]).toEqual([['ada', { count: 1, bytes: 15 }]])
  add(all, 'ada', { count: -1, bytes: -15 })
  expect([...all]).toEqual([])
})
