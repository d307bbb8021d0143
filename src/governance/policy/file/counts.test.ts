import { expect, test, vi } from 'vitest'
import { createCounts, grantName } from './counts.ts'
import { readPolicy } from './read-policy.ts'
import { identitiesOf } from './rule-identity.ts'

const rulesOf = (...rules: object[]) => readPolicy(JSON.stringify({ rules })).rules
const [GIT, MAIL] = [
  { server: 'git', decision: 'allow' },
  { server: 'mail', decision: 'ask' },
]

function notesWith() {
  const kept = new Map<string, unknown>()
  const get = async (name: string) => kept.get(name)
  const change = async (name: string, change: (value: unknown) => unknown) =>
    void kept.set(name, structuredClone(change(kept.get(name))))
  return { kept, get, change }
}

const report = (error: unknown) => {
  throw error
}

test('[G270] decisions are counted for the rule wherever it stands, and are known after a restart', async () => {
  const notes = notesWith()
  let rules = rulesOf(GIT, MAIL)
  const [git = '', mail = ''] = identitiesOf(rules)
  const counts = createCounts({ rules: () => rules, report })
  const { close } = counts.keepIn(notes)
  counts.ruled({ decision: 'allow', rule: { id: '#1' } })
  counts.ruled({ decision: 'ask' })
  rules = rulesOf(MAIL, GIT)
  for (const id of ['#2', '#2', '#1']) counts.ruled({ decision: 'allow', rule: { id } })
  counts.granted('0000000000000007')
  expect(counts.of(git)).toEqual({ count: 3, last: expect.any(Number) })
  await close()
  const later = createCounts({ rules: () => rules, report })
  const kept = later.keepIn(notes)
  later.ruled({ decision: 'allow', rule: { id: '#2' } })
  await kept.close()
  expect([git, mail, grantName('0000000000000007')].map((name) => later.of(name)?.count)).toEqual([4, 1, 1])
})

test('[G270] it is kept of the rules that are there, and of the permissions that decided last', async () => {
  const notes = notesWith()
  let rules = rulesOf(GIT, MAIL)
  const [git = ''] = identitiesOf(rules)
  const counts = createCounts({ rules: () => rules, report })
  const { close } = counts.keepIn(notes)
  counts.ruled({ decision: 'allow', rule: { id: '#1' } })
  counts.ruled({ decision: 'ask', rule: { id: '#2' } })
  counts.ruled({ decision: 'ask', rule: { id: '#9' } })
  const now = vi.spyOn(Date, 'now')
  for (let n = 0; n < 1002; n++) {
    now.mockReturnValue(n < 2 ? 5000 - n : 10_000)
    counts.granted(String(n).padStart(16, '0'))
  }
  now.mockRestore()
  rules = rulesOf(GIT)
  await close()
  const [kept = {}] = notes.kept.values() as Iterable<Record<string, unknown>>
  expect(Object.keys(kept)).toHaveLength(1001)
  expect(kept[git]).toMatchObject({ count: 1 })
  expect(kept[grantName('0000000000000000')]).toBeUndefined()
  expect(kept[grantName('0000000000000001')]).toBeUndefined()
})

test('[G270] what cannot be read or kept is reported, and what decides later is kept nowhere', async () => {
  const reported: unknown[] = []
  const counts = createCounts({ rules: () => rulesOf(GIT), report: (error) => void reported.push(error) })
  const fail = async () => {
    throw new Error('disk')
  }
  const failing = counts.keepIn({ get: fail, change: fail })
  counts.granted('1')
  await failing.close()
  expect(reported).toHaveLength(2)
  const change = vi.fn(fail)
  await counts.keepIn({ get: async () => 'no counts', change }).close()
  counts.granted('1')
  expect([change.mock.calls.length, counts.of(grantName('1'))?.count, reported.length]).toEqual([0, 2, 2])
})

test('[G270] nothing is kept before it is known what was kept', async () => {
  const { get, change, kept } = notesWith()
  const rules = () => rulesOf(GIT)
  const first = createCounts({ rules, report }).keepIn({ get, change })
  await first.close()
  kept.set('how often rules decided', { [grantName('1')]: { count: 7, last: 5 } })
  const looking = Promise.withResolvers<void>()
  const counts = createCounts({ rules, report })
  const { close } = counts.keepIn({ get: (name) => looking.promise.then(() => get(name)), change })
  counts.granted('2')
  const closed = close()
  await new Promise(setImmediate)
  looking.resolve()
  await closed
  expect(kept.get('how often rules decided')).toMatchObject({
    [grantName('1')]: { count: 7, last: 5 },
    [grantName('2')]: { count: 1 },
  })
})
