import { expect, test } from 'vitest'
import type { ToolResultBody } from '../../protocol/entries/entry.ts'
import type { MountedCall } from '../../protocol/tools/gateway.ts'
import { broughtBy, denialOf, identityOf, lateResultText, likeId, pending } from './words.ts'

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

test('[G63] the same call of the same caller is known as that, in whatever order its arguments are', () => {
  const subject = { server: 'git', tool: 'push', principal: 'ci', conversation: 'work', at: 0 }
  const identity = (input: Record<string, unknown>, more: object = {}, of: object = {}) =>
    identityOf({ subject: { ...subject, arguments: input, ...more }, by: 'codex', folder: '/site', ...of })
  const own = identity({ b: [1, { y: 2, x: null }], a: 'x' })
  expect(own).toMatch(/^[\w-]{22}$/)
  expect(identity({ a: 'x', b: [1, { x: null, y: 2 }] }, { at: 5 })).toBe(own)
  const others = [
    identity({ a: 'x', b: [{ x: null, y: 2 }, 1] }),
    identity({ a: 'x', b: [1, { x: 2, y: null }] }),
    ...[{ server: 'hg' }, { tool: 'pull' }, { conversation: 'home' }, { principal: 'other' }].map((more) =>
      identity({ b: [1, { y: 2, x: null }], a: 'x' }, more),
    ),
  ]
  expect(new Set([own, ...others]).size).toBe(7)
})

test('[G63] a call that waits for a person is an error of its tool, or of its request', () => {
  const { content, isError } = pending('7', {} as MountedCall)
  const [{ type, text = '' } = {}] = content as { type?: string; text?: string }[]
  expect([isError, type, JSON.parse(text)]).toMatchObject([true, 'text', { status: 'pending', question_id: '7' }])
  expect(JSON.parse(text).next).toMatch(/again/)
  expect(() => pending('7', { isRequest: true } as MountedCall)).toThrow(/again/)
})
