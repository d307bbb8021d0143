import { expect, test } from 'vitest'
import type { ToolCallSubject } from '../../../protocol/tools/gateway.ts'
import { readPolicy } from '../file/read-policy.ts'
import { placeOfRule, type RuleScope } from './place-of-rule.ts'

const CALL: ToolCallSubject = { server: 'git', tool: 'push', arguments: {}, principal: 'local:agent', at: 0 }

function placed(rules: object[], more: Partial<ToolCallSubject> = {}, scope: RuleScope = 'agent', by?: string) {
  const { rules: read } = readPolicy(JSON.stringify({ rules }))
  const { place, denying } = placeOfRule(read, { ...CALL, ...more }, scope, by)
  return [place, denying?.id]
}

const ASK = { decision: 'ask' }
const DENY = { decision: 'deny_continue' }

test('[G156] a rule that allows stands before each that may ask about such a call, and behind all others', () => {
  expect(placed([])).toEqual([0, undefined])
  expect(placed([{ decision: 'allow' }, ASK])).toEqual([1, undefined])
  expect(
    placed([
      { server: 'hg', ...ASK },
      { tool: 'pull', ...ASK },
    ]),
  ).toEqual([2, undefined])
  expect(
    placed([
      { off: true, ...ASK },
      { time: '09:00-09:01', ...ASK },
    ]),
  ).toEqual([1, undefined])
  expect(placed([{ annotations: { readOnlyHint: true }, ...ASK }])).toEqual([0, undefined])
  expect(
    placed(
      [
        { tool: 'pull', ...ASK },
        { tool: 'pull', ...DENY },
      ],
      {},
      'agent',
      '#2',
    ),
  ).toEqual([1, undefined])
  expect(placed([{ conversation: 'work', ...ASK }])).toEqual([1, undefined])
  expect(placed([{ conversation: 'work', ...ASK }], { conversation: 'work' })).toEqual([0, undefined])
})

test('[G156] also where its arguments may be meant, and what is masked may be anything', () => {
  const main = { arguments: { branch: 'main' }, ...ASK }
  expect(placed([main])[0]).toBe(1)
  expect(placed([main], { arguments: { branch: 'try' } })[0]).toBe(1)
  expect(placed([main], { arguments: { branch: 'main' } })[0]).toBe(0)
  expect(placed([main], { arguments: { branch: '[masked]' } })[0]).toBe(0)
  const both = { arguments: { branch: 'main', force: true }, ...ASK }
  expect(placed([both], { arguments: { branch: '[masked]', force: false } })[0]).toBe(1)
})

test('[G156] what is denied behind its place is told, of whom it is for', () => {
  expect(placed([ASK, { off: true, ...DENY }, { tool: 'pull', ...DENY }, DENY])).toEqual([0, '#4'])
  expect(placed([DENY, ASK, { id: 'no', decision: 'deny_abort' }])).toEqual([1, 'no'])
  expect(placed([ASK, { folder: '', ...DENY }])).toEqual([0, '#2'])
  expect(placed([ASK, { folder: '/site', ...DENY }])).toEqual([0, undefined])
  expect(placed([ASK, { folder: '/site', ...DENY }], {}, 'everyone')).toEqual([0, '#2'])
  const codex = { agent: 'codex', folder: '/site' }
  for (const rule of [{ agent: 'codex' }, { principal: 'Codex' }, { principal: 'local:*' }, { folder: '/s*' }])
    expect(placed([ASK, { ...rule, ...DENY }], codex)).toEqual([0, '#2'])
  for (const rule of [{ agent: 'gemini' }, { principal: 'ada' }, { agent: 'local:*' }]) {
    expect(placed([ASK, { ...rule, ...DENY }], codex)).toEqual([0, undefined])
    expect(placed([ASK, { ...rule, ...DENY }], codex, 'everyone')).toEqual([0, '#2'])
  }
})
