import { expect, test } from 'vitest'
import { compilePolicy } from '../policy.ts'
import { readPolicy } from './read-policy.ts'

const read = (limit: unknown, decision = 'allow') =>
  readPolicy(JSON.stringify({ rules: [{ decision, limit }] }, null, 1))
const SUBJECT = { server: 'web', tool: 'fetch', arguments: {}, principal: 'local:agent', at: 0 }

test('[G260] a rule limits calls, arguments, results and time', () => {
  const { rules, problems } = read({ calls: '10 a minute', arguments: '64 KB', result: '2 MB', time: '30s' })
  expect(problems).toEqual([])
  const limit = { calls: { most: 10, ms: 60_000, each: 'minute' }, arguments: 64_000, result: 2_000_000, time: 30_000 }
  expect(compilePolicy(rules).decide(SUBJECT)).toMatchObject({ decision: 'allow', limit })
  expect(read({ calls: '1 an hour' }, 'ask').rules[0]?.limit).toEqual({
    calls: { most: 1, ms: 3_600_000, each: 'hour' },
  })
})

test.each([
  [{ calls: '3 a second' }, { calls: { most: 3, ms: 1000, each: 'second' } }],
  [{ calls: '10000 a day' }, { calls: { most: 10_000, ms: 86_400_000, each: 'day' } }],
  [
    { arguments: '1 bytes', result: '999999MB' },
    { arguments: 1, result: 999_999_000_000 },
  ],
  [{ time: '1s' }, { time: 1000 }],
  [{ time: '90m' }, { time: 5_400_000 }],
  [{ time: '24h' }, { time: 86_400_000 }],
  [{ time: '1d' }, { time: 86_400_000 }],
])('[G260] the limit %j is %j', (limit, expected) => {
  expect(read(limit)).toMatchObject({ problems: [], rules: [{ limit: expected }] })
})

test.each([
  ['10', 'A limit is an object, as in { "calls": "10 a minute" }'],
  [{}, 'This limits nothing; say it with calls, arguments, result, time'],
  [{ call: '10 a minute' }, 'Unknown "call" in a limit; did you mean "calls"?'],
  [{ calls: 10 }, 'This must be text'],
  [
    { calls: '0 a minute' },
    'Calls are as in "10 a minute", "3 a second", "100 an hour" or "500 a day", and from 1 to 10000',
  ],
  [{ calls: '10 a week' }, 'Calls are as in'],
  [{ calls: '10001 a day' }, 'Calls are as in'],
  [{ arguments: '64' }, 'A size is as in "500 bytes", "64 KB" or "2 MB"'],
  [{ result: '0 KB' }, 'A size is as in'],
  [{ time: '30' }, 'A time is as in "90s", "10m", "2h" or "1d", and at most 1 day'],
  [{ time: '0s' }, 'A time is as in'],
  [{ time: '25h' }, 'A time is as in'],
  [{ arguments: '64 GB' }, 'A size is as in'],
])('[G260] %j is no limit, and the policy says why and where', (limit, text) => {
  const { problems } = read(limit)
  expect(problems).toMatchObject([{ text: expect.stringContaining(text) }])
  expect(problems[0]?.line).toBeGreaterThan(3)
})

test('[G260] a rule that denies has no limit', () => {
  const { problems } = read({ calls: '1 a day' }, 'deny_continue')
  expect(problems).toMatchObject([{ text: 'A rule that denies has no "limit": it lets nothing through' }])
})

test('[G267] a rule that limits allows nothing that an agent runs itself', () => {
  const policy = compilePolicy(read({ calls: '10 a minute' }).rules)
  const own = { ...SUBJECT, isOwn: true }
  expect(policy.decide(own).decision).toBe('ask')
  expect(policy.explain(own).passed[0]?.why).toBe(
    'the agent runs this tool itself, where nobody can hold it to a limit',
  )
})
