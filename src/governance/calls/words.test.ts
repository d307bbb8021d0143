import { expect, test } from 'vitest'
import type { ToolResultBody } from '../../protocol/entries/entry.ts'
import { broughtBy, denialOf, lateResultText, likeId } from './words.ts'

const about = (more: object) =>
  lateResultText({ kind: 'tool_result', tool_name: 'git_push', success: true, ...more } as ToolResultBody)
const ALLOWED = { decision: 'allow', by: 'ada' }

test.each([
  [{ result: 'it was denied: no', decided: { decision: 'deny_continue' } }, 'it was denied: no'],
  [{ result: 'pushed', decided: ALLOWED }, 'ada allowed it, and it was carried out. pushed'],
  [{ result: 'pushed', decided: { decision: 'allow' } }, 'the policy allowed it, and it was carried out. pushed'],
  [{ result: 'no net', success: false, decided: ALLOWED }, 'ada allowed it, and it failed. no net'],
])('[G122] what an agent is told of %j is "%s"', (ended, told) => {
  expect(about(ended)).toBe(`About your earlier call of git_push: ${told}`)
})

test('[G122] of a long result the agent is told the beginning', () => {
  expect(about({ result: 'x'.repeat(2000), decided: ALLOWED })).toMatch(/out\. x{2000}$/)
  expect(about({ result: 'x'.repeat(2001), decided: ALLOWED })).toMatch(/out\. x{2000}… \(2001 characters in all\)$/)
})

test.each([
  [{ decision: 'deny_continue', reason: 'Not today' }, 'call_denied', 'Not today'],
  [{ decision: 'deny_abort', rule: { id: 'never' } }, 'call_aborted', 'rule never of the policy forbids it'],
  [{ decision: 'deny_continue' }, 'call_denied', 'no reason given'],
] as const)('[G61] a call about which %j was decided is refused with %s', (decided, code, reason) => {
  const error = denialOf(decided)
  expect(error.code).toBe(code)
  expect(error.message).toContain(reason)
})

test('[G60] an id that was used before has another beside it', () => {
  const like = likeId('call.12345678')
  expect(like).toMatch(/^call\.[0-9a-f]{8}$/)
  expect(likeId(like)).not.toBe(like)
})

test('[G60] what a call ended with is what its caller gets', () => {
  const result = { content: [] }
  expect(broughtBy({ result })).toBe(result)
  expect(() => broughtBy({ error: new Error('It broke') })).toThrow('It broke')
})
