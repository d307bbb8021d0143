import { expect, test } from 'vitest'
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
  const put = async (name: string, value: unknown) => void kept.set(name, structuredClone(value))
  return { get, put }
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
