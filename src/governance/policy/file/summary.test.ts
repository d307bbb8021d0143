import { expect, test } from 'vitest'
import { readPolicy } from './read-policy.ts'
import { summaryOf } from './summary.ts'

const summary = (rule: object) =>
  readPolicy(JSON.stringify({ rules: [rule] }))
    .rules.map(summaryOf)
    .join()

test.each([
  [{}, 'everything'],
  [{ server: ['git', 'hg'], tool: 'push' }, 'server git or hg, tool push'],
  [{ folder: '' }, 'folder unknown'],
  [{ tool: 'Bash', command: false }, 'tool Bash, no command'],
  [{ arguments: { branch: 'release/*', force: true } }, 'branch "release/*", force true'],
  [
    { annotations: { readOnlyHint: true }, time: ['22:00-06:00', '12:00-13:00'] },
    'readOnlyHint true, time 22:00-06:00 or 12:00-13:00',
  ],
  [
    { conversation: 'work', principal: 'ci', agent: ['codex', 'kimi'] },
    'principal ci, agent codex or kimi, conversation work',
  ],
  [{ arguments: { n: { '>': 5, '<': 9 } } }, 'n {">":5,"<":9}'],
  [{ limit: { calls: '1 an hour' } }, 'everything; at most 1 call an hour'],
  [
    { limit: { calls: '20 a day', arguments: '2 KB', result: '1 MB', time: '30s' } },
    'everything; at most 20 calls a day, 2 KB of arguments, 1 MB of result, 30 s of time',
  ],
])('[G19] a rule that wants %j is shown as "%s"', (wanted, shown) => {
  expect(summary({ ...wanted, decision: 'allow' })).toBe(shown)
})
