import { expect, test } from 'vitest'
import { createManaging } from './managing.ts'

const RULES = [
  { identity: 'a', id: 'pen', decision: 'allow', shown: 'pen of diary', by: 'ada', on: 'Monday' },
  { identity: 'b', id: 'ink', decision: 'deny_continue', shown: 'ink' },
]
const GRANT = {
  ...{ since: '1700000000123456', at: 7, conversation: 'work', title: 'Work', tool_name: 'diary_write' },
  ...{ agent: 'codex', folder: '/work', by: 'ada' },
}

/** The managing of two rules and a permission, and what it did, in its order. */
function opened() {
  const done: unknown[] = []
  const parts = {
    policy: {
      show: () => ({ path: 'policy.jsonc', rules: RULES }),
      change: async (...change: unknown[]) => void done.push(change),
    },
    counts: {
      of: (name: string) => ({ count: name.length }),
      keepIn: () => ({ close: async () => void done.push('closed') }),
    },
    chat: {
      standing: {
        grants: async () => [{ ...GRANT, more: 'of the chat' }],
        revoke: async (...args: unknown[]) => void done.push(args),
        reconsider: async () => void done.push('reconsidered'),
      },
    },
    record: async (change: unknown) => void done.push(change),
  }
  return { done, ...createManaging(parts as unknown as Parameters<typeof createManaging>[0]) }
}

test('[G276] who switched a rule or took it back is recorded with what it was, and open cards are looked at again', async () => {
  const { switchRule, takeBackRule, done } = opened()
  await switchRule('a', true, 'eve')
  await switchRule('b', false, 'eve')
  await takeBackRule('b', 'eve')
  const about = { rule: 'ink', decision: 'deny_continue', shown: 'ink' }
  const pen = { rule: 'pen', decision: 'allow', shown: 'pen of diary', allowed_by: 'ada', on: 'Monday' }
  expect(done).toEqual([
    ...[['a', 'on'], { by: 'eve', changed: 'rule on', about: JSON.stringify(pen) }, 'reconsidered'],
    ...[['b', 'off'], { by: 'eve', changed: 'rule off', about: JSON.stringify(about) }, 'reconsidered'],
    ...[['b', 'taken_back'], { by: 'eve', changed: 'rule taken back', about: JSON.stringify(about) }, 'reconsidered'],
  ])
})

test('[G276] a rule that is not there is refused, and nothing is recorded', async () => {
  const { switchRule, done } = opened()
  await expect(switchRule('c', true, 'eve')).rejects.toMatchObject({ code: 'unknown_rule' })
  expect(done).toEqual([])
})

test('[G278] rules and permissions are shown with how often they were used, and since when', async () => {
  const { show, grants } = opened()
  expect(show()).toEqual({ path: 'policy.jsonc', rules: RULES.map((rule) => ({ ...rule, count: 1 })) })
  const [grant] = await grants()
  expect(grant).toEqual({ ...GRANT, count: expect.any(Number) })
})

test('[G278] a permission is taken back once, by the entry since which it is', async () => {
  const { takeBackGrant, done } = opened()
  await takeBackGrant(GRANT.since, 'eve')
  await expect(takeBackGrant('other', 'eve')).rejects.toMatchObject({ code: 'grant_gone' })
  expect(done).toEqual([['work', 'diary_write', 'eve', `revoke ${GRANT.since}`, GRANT.since]])
})
