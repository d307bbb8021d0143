import { expect, test } from 'vitest'
import { readPolicy } from './file/read-policy.ts'
import { compilePolicy } from './policy.ts'

function verdicts(place: string, wanted: unknown, decision: string, ...calls: Record<string, unknown>[]) {
  const { rules } = readPolicy(JSON.stringify({ rules: [{ arguments: { [place]: wanted }, decision }] }))
  const { decide } = compilePolicy(rules)
  const call = { server: 's', tool: 't', principal: 'local:agent', at: 0, cwd: '/own', bases: ['/own'] }
  return calls.map((input) => decide({ ...call, arguments: input }).decision)
}

const DENIED = 'deny_continue'

test('[G282] a relative path may be in the folder that its call names', () => {
  const calls = ['cwd', 'repo_path', 'workingDirectory', 'root'].map((name) => ({ [name]: '/other', file: 'secret/x' }))
  const nested = { options: { cwd: '/other' }, files: ['secret/x'] }
  expect(
    verdicts('*', { path: '/other/secret/**' }, DENIED, ...calls, nested, { cwd: '../other', file: 'secret/x' }),
  ).toEqual(Array(6).fill(DENIED))
  const all = [{ file: 'a' }, { cwd: '/own/sub', file: 'a' }, { cwd: '/other', file: 'a' }, { cwd: '~ada', file: 'a' }]
  expect(verdicts('file', { path: './**' }, 'allow', ...all)).toEqual(['allow', 'allow', 'ask', 'ask'])
  expect(verdicts('file', { path: './**' }, 'allow', { cwd: '/other', file: '/own/a' })).toEqual(['allow'])
  const many = { file: 'a', in: Array.from({ length: 1000 }, (_, n) => ({ cwd: `/own/${n}` })) }
  expect(verdicts('file', { path: './**' }, 'allow', many)).toEqual(['ask'])
})

test('[G290] what a rule that denies is about is found at any depth in each step of its place, one for a list, and as a name', () => {
  const post = [
    { options: { method: 'POST' } },
    { options: [{ method: 'POST' }] },
    { all: [{ options: { http: [[{ method: ['POST'] }]] } }] },
  ]
  expect(verdicts('options.method', 'POST', DENIED, ...post)).toEqual(post.map(() => DENIED))
  const edits = [{ edits: [{ path: '/.env' }] }, { edits: { path: '/.env' } }, { edits: [{ file: { path: '/.env' } }] }]
  expect(verdicts('edits.*.path', { path: '/**/.env' }, DENIED, ...edits)).toEqual(edits.map(() => DENIED))
  expect(verdicts('paths.*', { path: '/**/.env' }, DENIED, { paths: '/.env' }, { path: '/.env' })).toEqual([
    DENIED,
    'ask',
  ])
  expect(verdicts('*', { path: '/**/.env' }, DENIED, { '/site/.env': 'X=1' })).toEqual([DENIED])
  expect(verdicts('options.method', 'POST', 'allow', ...post)).toEqual(['allow', 'ask', 'ask'])
})
