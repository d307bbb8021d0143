import { expect, test } from 'vitest'
import type { DecidedCall } from '../../../protocol/tools/decided-call.ts'
import { readPolicy } from '../file/read-policy.ts'
import { compilePolicy } from '../policy.ts'
import { suggestRules } from './suggest.ts'

function decided(tool_name: string, input: unknown, more: Partial<DecidedCall> = {}): DecidedCall {
  const call = { asker: 'codex', conversation: 'website', at: 0, outcome: 'approved', by: 'ada' } as const
  return { tool_name, input: JSON.stringify(input), ...call, ...more }
}
const times = (count: number, call: DecidedCall) => Array<DecidedCall>(count).fill(call)
const suggested = (calls: DecidedCall[], rules: unknown[] = []) =>
  suggestRules(calls, compilePolicy(readPolicy(JSON.stringify({ rules })).rules).decide)

test('[G21] the same call that was allowed again and again is proposed as it is', () => {
  const calls = [
    ...times(2, decided('Bash', { command: 'npm run *', timeout: 5 })),
    decided('Bash', { timeout: 5, command: 'npm run *' }, { conversation: 'api', by: 'bob' }),
    ...times(2, decided('Bash', { command: 'ls' })),
  ]
  expect(suggested(calls)).toEqual([
    {
      rule: {
        server: 'agent',
        tool: 'Bash',
        arguments: { command: 'npm run \\*', timeout: 5 },
        principal: 'codex',
        decision: 'allow',
      },
      why: 'Allowed 3 times by ada, bob, in 2 conversations, and never denied',
    },
  ])
})

test('[G21] tools of servers are named as rules name them', () => {
  expect(suggested(times(3, decided('mcp__git__push_all', {}, { asker: undefined })))).toMatchObject([
    { rule: { server: 'git', tool: 'push_all', decision: 'allow' } },
  ])
})

test('[G100] tools of mounted servers are named by their server and their own name there', () => {
  const call = decided('git_hub_push', {}, { server: 'git_hub', tool: 'push', asker: undefined })
  const other = { ...call, server: 'git', tool: 'hub_push' }
  expect(suggested([...times(3, call), ...times(2, other)])).toMatchObject([
    { rule: { server: 'git_hub', tool: 'push', decision: 'allow' } },
  ])
  expect(suggested(times(3, call), [{ server: 'git_hub', tool: 'push', decision: 'allow' }])).toEqual([])
})

test('[G21] calls about files of one folder are proposed by the folder, and what may be anything is said', () => {
  const write = (path: string, more = {}) => decided('Write', { path, content: `of ${path}`, mode: 'w', ...more })
  const calls = [write('/home/ada/site/a.ts'), write('/home/ada/site/src/b.ts'), write('/home/ada/site/src/c.ts')]
  expect(suggested(calls)).toMatchObject([
    {
      rule: { tool: 'Write', arguments: { path: { path: '/home/ada/site/**' }, mode: 'w' } },
      why: 'Allowed 3 times by ada, in one conversation, and never denied; with any content',
    },
  ])
  expect(suggested([...calls, write('/etc/passwd')])).toEqual([])
  expect(suggested([...calls.slice(1), write('/home/ada/site/../x')])).toEqual([])
  expect(suggested([...calls, decided('Write', { path: '/home/ada/site/x' }, { outcome: 'denied' })])).toEqual([])
})

test('[G21] neither what differs in every way, nor what was denied, nor what is allowed already', () => {
  expect(suggested(['a', 'b', 'c', 'd'].map((command) => decided('Bash', { command, timeout: 5 })))).toEqual([])
  const call = decided('Bash', { command: 'ls' })
  expect(suggested([...times(5, call), { ...call, outcome: 'denied' }])).toEqual([])
  expect(suggested(times(5, call), [{ tool: 'Bash', decision: 'allow' }])).toEqual([])
  expect(suggested(times(5, call), [{ tool: 'Bash', decision: 'ask' }])).toHaveLength(1)
  expect(suggested(times(5, { ...call, input: '[' }))).toEqual([])
})

test('[G21] every rule that is suggested can be used, and allows what it was made from', () => {
  const odd = ['*', '[id]', '{a}', '!no', 'a\\b', '~']
  const calls = odd.flatMap((name) =>
    times(3, decided(`T${name}`, { 'a.b': name, '*': 1, none: null, empty: '', list: [1] })),
  )
  const suggestions = suggested(calls)
  expect(suggestions).toHaveLength(odd.length)
  const { rules, problems } = readPolicy(JSON.stringify({ rules: suggestions.map(({ rule }) => rule) }))
  expect(problems).toEqual([])
  expect(suggestRules(calls, compilePolicy(rules).decide)).toEqual([])
})

test('[G21] what has few values in files of one folder may be any of those, and what has many may be anything', () => {
  const edit = (n: number, more: object) => decided('Edit', { path: `/home/ada/f${n}`, ...more })
  const rules = (...calls: DecidedCall[]) => suggested(calls).map(({ rule, why }) => [rule.arguments, why])
  const path = { path: '/home/ada/**' }
  const why = 'Allowed 4 times by ada, in one conversation, and never denied'
  const modes = ['w', 'w', 'a*', 'w'].map((mode, n) => edit(n, { mode, 'a.b': true, depth: n % 2, as: null }))
  expect(rules(...modes)).toEqual([[{ path, mode: ['w', 'a\\*'], 'a\\.b': true, depth: [0, 1], as: null }, why]])
  expect(rules(...['a', 'b', 'c', 'c'].map((mode, n) => edit(n, { mode })))).toEqual([
    [{ path }, `${why}; with any mode`],
  ])
  const texts = Array.from({ length: 12 }, (_, n) => edit(n, { five: n % 5, six: n % 6, empty: '', list: [1] }))
  expect(rules(...texts)).toEqual([
    [{ path, five: [0, 1, 2, 3, 4] }, expect.stringMatching(/; with any six, empty, list$/)],
  ])
})

test('[G21] the folder of all files has at least two steps, and is named as it is', () => {
  const folders = (...paths: string[]) =>
    suggested(paths.map((path) => decided('Read', { path }))).map(({ rule }) => rule.arguments)
  expect(folders('/a/b/1', '/a/b/2', '/a/b/c/3')).toEqual([{ path: { path: '/a/b/**' } }])
  expect(folders('/a/b*/1', '/a/b*/2', '/a/b*/3')).toEqual([{ path: { path: '/a/b\\*/**' } }])
  expect(folders('/a/1', '/a/2', '/a/3')).toEqual([])
  expect(folders('/a/b/1', '/a/c/2', '/a/b/3')).toEqual([])
  expect(folders('a/b/1', 'a/b/2', 'a/b/3')).toEqual([])
  expect(folders('/a/b/1', '/a/b/2')).toEqual([])
})

test('[G21] what one agent may do, in one folder, with one tool speaks for nothing else', () => {
  const call = decided('Bash', { command: 'ls' }, { asker: 'local:agent', agent: 'codex', folder: '/site' })
  const others = [{ agent: 'kimi' }, { folder: '/work' }, { tool_name: 'Shell' }, { asker: 'ci' }]
  expect(suggested([...times(2, call), ...others.map((other) => ({ ...call, ...other }))])).toEqual([])
  const rules = suggested([...times(3, call), ...others.flatMap((other) => times(3, { ...call, ...other }))])
  expect(rules.map(({ rule: { tool, principal, agent, folder } }) => [tool, principal, agent, folder])).toEqual([
    ['Bash', undefined, 'codex', '/site'],
    ['Bash', undefined, 'kimi', '/site'],
    ['Bash', undefined, 'codex', '/work'],
    ['Shell', undefined, 'codex', '/site'],
    ['Bash', 'ci', 'codex', '/site'],
  ])
})
