import { expect, test } from 'vitest'
import type { ToolCallSubject } from '../../protocol/tools/gateway.ts'
import { readPolicy } from './file/read-policy.ts'
import { compilePolicy } from './policy.ts'

function policyOf(...rules: Record<string, unknown>[]) {
  const { rules: read, problems } = readPolicy(JSON.stringify({ rules }))
  expect(problems).toEqual([])
  return compilePolicy(read)
}

function call(of: Partial<ToolCallSubject> = {}): ToolCallSubject {
  return {
    server: 'files',
    tool: 'read',
    arguments: {},
    principal: 'codex',
    at: 0,
    cwd: '/site',
    bases: ['/site'],
    ...of,
  }
}

/** Whether a rule with only this matches. */
function matches(rule: Record<string, unknown>, of: Partial<ToolCallSubject>, decision = 'deny_continue'): boolean {
  return policyOf({ ...rule, decision }).decide(call(of)).rule !== undefined
}

const fits = (wanted: unknown, args: Record<string, unknown>, decision?: string) =>
  matches({ arguments: wanted }, { arguments: args }, decision)

test('[G1] the first rule that matches decides, and is named', () => {
  const { decide } = policyOf(
    { server: 'git', decision: 'deny_abort' },
    { id: 'reading', tool: 'read', decision: 'allow', note: 'harmless' },
    { decision: 'deny_continue', reason: 'Ask Ada first' },
  )
  expect(decide(call({ server: 'git' }))).toEqual({ decision: 'deny_abort', rule: { id: '#1', line: 1 } })
  expect(decide(call())).toEqual({ decision: 'allow', rule: { id: 'reading', line: 1, note: 'harmless' } })
  const last = { decision: 'deny_continue', rule: { id: '#3', line: 1 }, reason: 'Ask Ada first' }
  expect(decide(call({ tool: 'write' }))).toEqual(last)
})

test('[G1] where no rule matches, a call is asked about unless its tool is marked as one that only reads', () => {
  const { decide } = policyOf({ server: 'git', decision: 'deny_abort' })
  expect(decide(call())).toEqual({ decision: 'ask', reason: 'No rule matches' })
  expect(decide(call({ annotations: { readOnlyHint: false } }))).toMatchObject({ decision: 'ask' })
  expect(decide(call({ annotations: { readOnlyHint: true } }))).toMatchObject({
    decision: 'allow',
    reason: expect.stringMatching('only reads'),
  })
  expect(decide(call({ server: 'git', annotations: { readOnlyHint: true } }))).toMatchObject({ decision: 'deny_abort' })
})

test.each([
  [{ server: 'files' }, {}, true],
  [{ server: 'file*' }, {}, true],
  [{ server: ['git', 'f*'] }, {}, true],
  [{ server: 'git' }, {}, false],
  [{ tool: ['write_*', 'read'] }, {}, true],
  [{ server: 'files', tool: 'write' }, {}, false],
  [{ principal: 'codex' }, {}, true],
  [{ principal: 'local:*' }, {}, false],
  [{ conversation: 'web*' }, { conversation: 'website' }, true],
  [{ conversation: 'web*' }, { conversation: 'api' }, false],
  [{ conversation: '*' }, {}, false],
])('[G2] whether the rule %j matches the call %j is %s', (rule, of, expected) => {
  expect(matches(rule, of)).toBe(expected)
})

test.each([
  [{ text: 'git *' }, { text: 'git push' }, true],
  [{ text: 'git *' }, { text: 'ls' }, false],
  [{ text: ['a', 'b*'] }, { text: 'bc' }, true],
  [{ text: { glob: 'a*' } }, { text: 'ab' }, true],
  [{ n: 5 }, { n: 5 }, true],
  [{ n: true }, { n: true }, true],
  [{ n: null }, { n: null }, true],
  [{ n: null }, {}, false],
  [{ n: { '>': 5 } }, { n: 5 }, false],
  [{ n: { '>=': 5 } }, { n: 5 }, true],
  [{ n: { '<': 5 } }, { n: 4.9 }, true],
  [{ n: { '<=': 5 } }, { n: 5.1 }, false],
  [{ n: { '>': 1, '<': 3 } }, { n: 2 }, true],
  [{ n: { '>': 1, '<': 3 } }, { n: 3 }, false],
  [{ n: { exists: true } }, { n: null }, true],
  [{ n: { exists: true } }, {}, false],
  [{ n: { exists: false } }, {}, true],
  [{ n: { not: 'a' } }, { n: 'b' }, true],
  [{ n: { not: ['a', 5] } }, { n: 5 }, false],
  [{ n: { '>': 1, not: [5, 6] } }, { n: 5 }, false],
  [{ n: { '>': 1, not: [5, 6] } }, { n: 7 }, true],
  [{ n: [{ '<': 1 }, { '>': 9 }] }, { n: 10 }, true],
  [{ a: 'x', b: 'y' }, { a: 'x', b: 'z' }, false],
  [{ file: { path: '/site/**' } }, { file: 'src/../a.ts' }, true],
  [{ file: { path: ['/other/**', '/site/*'] } }, { file: '../site/a' }, true],
  [{ file: { path: '/site/**' } }, { file: '../etc' }, false],
])('[G4] whether %j fits the arguments %j is %s', (wanted, args, expected) => {
  expect(fits(wanted, args)).toBe(expected)
  expect(fits(wanted, args, 'allow')).toBe(expected)
})

test.each([
  [{ 'options.depth': { '>': 2 } }, { options: { depth: 3 } }, true],
  [{ 'options.depth': { '>': 2 } }, { options: 3 }, false],
  [{ 'files.0': 'a' }, { files: ['a', 'b'] }, true],
  [{ 'files.length': 2 }, { files: ['a', 'b'] }, false],
  [{ 'a\\.b': 'x' }, { 'a.b': 'x' }, true],
  [{ '\\*': 'x' }, { '*': 'x' }, true],
  [{ '\\*': 'x' }, { y: 'x' }, false],
  [{ 'constructor.name': 'Object' }, {}, false],
  [{ __proto__x: { exists: true } }, JSON.parse('{"__proto__":{"a":1}}'), false],
])('[G5] whether %j fits what is within %j is %s', (wanted, args, expected) => {
  expect(fits(wanted, args)).toBe(expected)
  expect(fits(wanted, args, 'allow')).toBe(expected)
})

test.each([
  [{ 'edits.*.path': 'a*' }, { edits: [{ path: 'a1' }, { path: 'a2' }] }, { allow: true, other: true }],
  [{ 'edits.*.path': 'a*' }, { edits: [{ path: 'a1' }, { path: 'b' }] }, { allow: false, other: true }],
  [{ 'edits.*.path': 'a*' }, { edits: [{ path: 'a1' }, {}] }, { allow: false, other: true }],
  [{ 'edits.*.path': 'a*' }, { edits: [] }, { allow: false, other: false }],
  [{ 'edits.*.path': 'a*' }, { edits: 'a' }, { allow: false, other: false }],
  [{ '*': 'a*' }, { x: 'a', y: 'b' }, { allow: false, other: true }],
  [{ branch: { not: 'main' } }, {}, { allow: false, other: true }],
  [{ branch: { not: 'main' } }, { branch: ['main'] }, { allow: false, other: true }],
  [{ branch: { not: { not: 'main' } } }, {}, { allow: false, other: false }],
  [{ n: { not: { '>': 5 } } }, { n: '9' }, { allow: false, other: true }],
  [{ n: { not: 5 } }, { n: '5' }, { allow: false, other: true }],
  [{ n: { not: 5 } }, { n: [5] }, { allow: false, other: true }],
  [{ n: { not: 5 } }, { n: 'five' }, { allow: true, other: true }],
  [{ n: { not: { exists: true } } }, {}, { allow: true, other: true }],
  [{ file: { path: '/etc/**' } }, { file: 'x' }, { allow: false, other: true }],
  [{ file: { not: { path: '/etc/**' } } }, { file: 'x' }, { allow: false, other: true }],
])('[G6] a rule that allows wants to be sure: %j with %j', (wanted, args, { allow, other }) => {
  const of = { arguments: args, cwd: undefined, bases: undefined }
  expect(matches({ arguments: wanted }, of, 'allow')).toBe(allow)
  for (const decision of ['ask', 'deny_continue', 'deny_abort'])
    expect(matches({ arguments: wanted }, of, decision)).toBe(other)
})

test.each([
  // Values count at any depth, and in lists.
  [{ '*': { path: '/**/.env' } }, { paths: ['/x/a', '/x/.env'] }],
  [{ path: { path: '/**/.env' } }, { path: { value: '/x/.env' } }],
  [{ path: { path: '/**/.env' } }, { edits: [{ file: { path: '/x/.env' } }] }],
  [{ path: { path: '/etc/**' } }, { path: [' /etc/passwd'] }],
  [{ files: { path: '/**/.env' } }, { files: { '/x/.env': 'KEY=1' } }],
  [{ branch: 'main' }, { options: { branch: [['main']] } }],
  [{ 'options.depth': { '>': 2 } }, { all: [{ options: { depth: 3 } }] }],
  [{ 'l.0': 'a' }, { o: { l: ['a'] } }],
  [{ 'edits.*.path': 'a*' }, { edits: { x: { path: { y: 'a1' } } } }],
  [{ force: { exists: true } }, { options: { force: {} } }],
  // Values of another kind.
  [{ price: { '>': 20 } }, { price: '200' }],
  [{ price: { '>': 20 } }, { price: ' 200 ' }],
  [{ price: { '>': 20 } }, { price: [200] }],
  [{ price: { '>': 20 } }, { price: { value: 200 } }],
  [{ price: { '>': 20 } }, { order: { price: [{ amount: '$200.00' }] } }],
  [{ n: 5 }, { n: '5' }],
  [{ n: 5 }, { n: ['5.0'] }],
  [{ n: '5' }, { n: 5 }],
  [{ force: true }, { force: 'true' }],
  [{ force: true }, { force: 1 }],
  [{ force: true }, { force: ['yes'] }],
  [{ force: false }, { force: 'off' }],
  [{ n: null }, { n: 'null' }],
  [{ branch: 'main' }, { branch: 'main ' }],
])(
  '[G152] [G153] %j is in the arguments %j for a rule that asks or denies, and not for one that allows',
  (wanted, args) => {
    for (const decision of ['ask', 'deny_continue', 'deny_abort']) expect(fits(wanted, args, decision)).toBe(true)
    expect(fits(wanted, args, 'allow')).toBe(false)
  },
)

test.each([
  [{ '*': { path: '/**/.env' } }, { paths: ['/x/a', '/x/env'] }],
  [{ price: { '>': 20 } }, { price: ['19', { value: 20 }], size: 200 }],
  [{ force: true }, { force: 'no', reason: 'true' }],
  [{ branch: 'main' }, { branch: 'mainline', head: 'main' }],
  [{ branch: 'main' }, { branch: { not: null } }],
  [{ price: { '>': 20 } }, { price: { 2026: 'spring' } }],
  [{ 'options.depth': 3 }, { options: [3], depth: 3 }],
])('[G152] %j is not in %j', (wanted, args) => {
  expect(fits(wanted, args)).toBe(false)
})

test('[G152] what is nested deep or large is found as fast as it is read', () => {
  let deep: unknown = '/x/.env'
  for (let n = 0; n < 100_000; n++) deep = n % 2 ? [deep] : { a: deep }
  expect(fits({ a: { path: '/**/.env' } }, { a: deep })).toBe(true)
  expect(fits({ 'a.*.a': { '>': 2 } }, { a: deep })).toBe(false)
  const wide = Array.from({ length: 50_000 }, (_, n) => ({ a: n }))
  expect(fits({ '*': { '>=': 49_999 } }, { wide })).toBe(true)
})

test.each([
  [{ readOnlyHint: true }, { readOnlyHint: true }, true],
  [{ readOnlyHint: false }, undefined, true],
  [{ destructiveHint: true }, undefined, true],
  [{ destructiveHint: true }, { destructiveHint: false }, false],
  [{ destructiveHint: true }, { readOnlyHint: true }, false],
  [{ idempotentHint: true }, {}, false],
  [{ idempotentHint: true }, { readOnlyHint: true }, true],
  [{ openWorldHint: true }, {}, true],
  [{ openWorldHint: false, destructiveHint: false }, { openWorldHint: false, destructiveHint: false }, true],
  [{ openWorldHint: false, destructiveHint: false }, { openWorldHint: false }, false],
])('[G10] whether %j matches a tool with %j is %s', (annotations, of, expected) => {
  expect(matches({ annotations }, { annotations: of })).toBe(expected)
})

test.each([
  ['09:00-17:30', '09:00', true],
  ['09:00-17:30', '17:29', true],
  ['09:00-17:30', '17:30', false],
  ['22:00-06:00', '23:59', true],
  ['22:00-06:00', '05:59', true],
  ['22:00-06:00', '06:00', false],
  ['00:00-24:00', '23:59', true],
  [['08:00-09:00', '10:00-11:00'], '10:30', true],
  ['09:30-17:30', '09:29', false],
  ['09:30-17:30', '09:30', true],
  ['22:30-06:00', '22:29', false],
  ['22:00-06:30', '06:29', true],
])('[G11] whether %j is there at %s is %s', (time, at, expected) => {
  const [hour, minute] = at.split(':').map(Number)
  expect(matches({ time }, { at: new Date(2026, 10, 16, hour, minute).getTime() })).toBe(expected)
})

test('[G20] what is explained says for each earlier rule what did not fit', () => {
  const { explain } = policyOf(
    { server: ['git', 'hub'], decision: 'allow' },
    { tool: 'write_*', decision: 'allow' },
    { principal: 'ada', decision: 'allow' },
    { conversation: 'website', decision: 'allow' },
    { annotations: { readOnlyHint: true }, decision: 'allow' },
    { time: '09:00-10:00', decision: 'allow' },
    { arguments: { path: { path: '/site/**' } }, decision: 'allow' },
    { arguments: { 'edits.*': 'a' }, decision: 'ask' },
    { id: 'last', decision: 'deny_continue' },
  )
  const at = new Date(2026, 10, 16, 20, 5).getTime()
  const { verdict, passed } = explain(call({ arguments: { path: '/etc', edits: [] }, at }))
  expect(verdict.rule?.id).toBe('last')
  expect(passed.map(({ why }) => why)).toEqual([
    'server is "files", not "git" or "hub"',
    'tool is "read", not "write_*"',
    'principal is "codex", not "ada"',
    'conversation is not there, not "website"',
    'readOnlyHint is false, not true',
    'time is 20:05, not 09:00-10:00',
    'argument path is "/etc", which does not fit {"path":"/site/**"}',
    'argument edits.* is an empty list, which does not fit "a"',
  ])
})

test('[G20] what is explained says so of an agent by all of its names, and of long arguments by their beginning', () => {
  const { explain } = policyOf(
    { agent: 'gemini', decision: 'deny_continue' },
    { principal: 'ada', decision: 'deny_continue' },
    { folder: '/other', decision: 'allow' },
    { time: ['01:00-02:00', '03:00-04:00'], decision: 'allow' },
    { arguments: { a: { not: '?*' } }, decision: 'allow' },
    { arguments: { b: 'x' }, decision: 'allow' },
    { arguments: { c: { command: 'ls' } }, decision: 'allow' },
  )
  const of = { agent: 'codex', arguments: { a: 'x'.repeat(198), b: 'x'.repeat(199), cmd: 'rm' } }
  const { verdict, passed } = explain(call({ ...of, at: new Date(2026, 10, 16, 9, 30).getTime() }))
  expect(verdict).toEqual({ decision: 'ask', reason: 'No rule matches' })
  expect(passed.map(({ why }) => why)).toEqual([
    'agent is "codex" or "Codex", not "gemini"',
    'principal is "codex" or "codex" or "Codex", not "ada"',
    'folder is "", not "/other"',
    'time is 09:30, not 01:00-02:00 or 03:00-04:00',
    `argument a is "${'x'.repeat(198)}", which does not fit {"not":"?*"}`,
    `argument b is "${'x'.repeat(199)}…, which does not fit "x"`,
    'argument c is not there, which does not fit {"command":"ls"}',
  ])
  const alone = policyOf({ arguments: { command: { command: 'ls' } }, decision: 'allow' })
  expect(alone.explain(call({ arguments: { command: 'ls', env: { A: '1' } } })).passed[0]?.why).toBe(
    'argument env makes another command of it, and is not named',
  )
})
