import { expect, test } from 'vitest'
import type { ToolCallSubject } from '../../protocol/tools/gateway.ts'
import { readPolicy } from './file/read-policy.ts'
import { alwaysRule } from './learning/always-rule.ts'
import { compilePolicy } from './policy.ts'

function verdict(rule: Record<string, unknown>, of: Partial<ToolCallSubject>): string {
  const { rules, problems } = readPolicy(JSON.stringify({ rules: [rule] }))
  expect(problems).toEqual([])
  const { decide } = compilePolicy(rules)
  const call = { server: 'agent', tool: 'Bash', arguments: {}, principal: 'local:agent', at: 0, ...of }
  return decide(call).decision
}

const CODEX = { agent: 'codex-mcp-client', folder: '/home/ada/site' }

test('[G177] an agent is meant by its client, in whichever way that is written, as principal or as agent', () => {
  for (const name of ['codex', 'Codex', 'codex-mcp-client', 'codex*'])
    for (const key of ['principal', 'agent']) {
      expect(verdict({ [key]: name, decision: 'deny_continue' }, CODEX)).toBe('deny_continue')
      expect(verdict({ [key]: name, decision: 'allow' }, CODEX)).toBe('allow')
      expect(verdict({ [key]: name, decision: 'allow' }, { agent: 'claude-code' })).toBe('ask')
      expect(verdict({ [key]: name, decision: 'allow' }, {})).toBe('ask')
    }
  expect(verdict({ agent: 'Claude Code', decision: 'allow' }, { agent: 'claude-code' })).toBe('allow')
})

test('[G177] who has a token is allowed by its id, whatever it calls itself, and denied by either', () => {
  const posing = { principal: 'ci', agent: 'codex' }
  expect(verdict({ principal: 'codex', decision: 'allow' }, posing)).toBe('ask')
  expect(verdict({ agent: 'codex', decision: 'allow' }, posing)).toBe('ask')
  expect(verdict({ principal: 'ci', agent: 'codex', decision: 'allow' }, posing)).toBe('allow')
  expect(verdict({ principal: 'ci', agent: 'claude', decision: 'allow' }, posing)).toBe('ask')
  for (const rule of [{ principal: 'codex' }, { principal: 'ci' }, { agent: 'codex' }])
    expect(verdict({ ...rule, decision: 'deny_abort' }, posing)).toBe('deny_abort')
})

test('[G177] a folder is the whole one that an agent is proven to work in, and empty where there is none', () => {
  expect(verdict({ folder: '/home/ada/*', decision: 'allow' }, CODEX)).toBe('allow')
  expect(verdict({ folder: '/home/ada', decision: 'allow' }, CODEX)).toBe('ask')
  expect(verdict({ folder: '', decision: 'allow' }, CODEX)).toBe('ask')
  expect(verdict({ folder: ['', '/srv'], decision: 'allow' }, { agent: 'codex' })).toBe('allow')
})

test('[G178] always for an agent is for its client in its folder, and for its token where it has one', () => {
  const call = { server: 'files', tool: 'wr*te', arguments: {}, principal: 'local:agent', at: 0, ...CODEX }
  const rule = alwaysRule(call, 'agent')
  expect(rule).toEqual({ server: 'files', tool: 'wr\\*te', command: false, ...CODEX, decision: 'allow' })
  expect(alwaysRule({ ...call, principal: 'ci' }, 'agent')).toMatchObject({ principal: 'ci', ...CODEX })
  expect(alwaysRule(call, 'everyone')).toEqual({ server: 'files', tool: 'wr\\*te', command: false, decision: 'allow' })
  const others = [{}, { agent: 'claude' }, { folder: '/home/ada' }, { folder: undefined }, { principal: 'ci' }]
  expect(others.map((other) => verdict({ ...rule }, { ...call, ...other }))).toEqual([
    'allow',
    ...Array(others.length - 1).fill('ask'),
  ])
})

test.each([
  ['npm test', { command: { command: 'npm test' } }, 'npm test -- -t x', 'npm test; rm -rf /'],
  ['rm -rf b*ild', { command: 'rm -rf b\\*ild' }, 'rm -rf b*ild', 'rm -rf build'],
  [['git', 'log'], { command: { command: 'git log' } }, ['git', 'log', '-1'], ['git', 'push']],
  [
    ['rm', '-r', ''],
    { 'command.0': 'rm', 'command.1': '-r', 'command.2': { not: '?*' }, 'command.3': { exists: false } },
    ['rm', '-r', ''],
    ['rm', '-r', '', '/'],
  ],
])(
  '[G179] of a tool that runs commands %j is allowed as it was offered, and no other',
  (command, wanted, same, other) => {
    const rule = alwaysRule(
      { server: 'agent', tool: 'Bash', arguments: { command }, principal: 'local:agent', at: 0 },
      'everyone',
    )
    expect(rule.arguments).toEqual(wanted)
    const verdicts = [command, same, other, undefined].map((command) =>
      verdict({ ...rule }, { arguments: { command } }),
    )
    expect(verdicts).toEqual(['allow', 'allow', 'ask', 'ask'])
  },
)

test('[G179] a command with what no rule can say beside it is allowed only once', () => {
  const call = { server: 'agent', tool: 'Bash', principal: 'local:agent', at: 0 }
  const input = { command: 'ls', env: { PATH: { first: '/bin' } } }
  expect(() => alwaysRule({ ...call, arguments: input }, 'everyone')).toThrow('no rule can be for this "env"')
})

test('[G179] a rule may want the beginning of a command, of plain words alone', () => {
  const deny = { arguments: { command: { command: ['git push', 'sudo'] } }, decision: 'deny_continue' }
  expect(verdict(deny, { arguments: { command: 'ls && git push -f' } })).toBe('deny_continue')
  expect(verdict(deny, { arguments: { command: 'git pull' } })).toBe('ask')
  const { problems } = readPolicy('{"rules": [{"arguments": {"a": {"command": "a; b"}}, "decision": "ask"}]}')
  expect(problems).toMatchObject([{ text: 'A command is the words that it begins with, as in "npm test"' }])
})

test('[G284] always for a command is for what stands beside it, too, and a rule that allows a command allows it alone', () => {
  const beside = { args: ['-c', 'ls'], env: { A: '1' }, cwd: '/a', tty: false, retries: 2 }
  const call = { server: 's', tool: 'run', principal: 'local:agent', at: 0, arguments: { command: 'bash', ...beside } }
  const rule = alwaysRule({ ...call, arguments: { ...call.arguments, description: 'List' } }, 'everyone')
  const others = [
    {},
    { description: 'other words', timeout: 3 },
    { args: ['-c', 'rm -rf ~'] },
    { args: ['-c', 'ls', 'x'] },
    { env: { A: '1', LD_PRELOAD: '/evil.so' } },
    { cwd: '/b' },
    { retries: 3 },
    { stdin: 'rm' },
  ]
  const verdicts = others.map((other) => verdict({ ...rule }, { ...call, arguments: { ...call.arguments, ...other } }))
  expect(verdicts).toEqual(['allow', 'allow', ...Array(others.length - 2).fill('ask')])
  const test = { arguments: { command: { command: 'npm test' } }, decision: 'allow' }
  for (const more of [{ args: ['; rm'] }, { env: { NODE_OPTIONS: '-r x' } }, { cmd: 'rm' }, { Shell: 'x' }])
    expect(verdict(test, { arguments: { command: 'npm test', ...more } })).toBe('ask')
  expect(verdict(test, { arguments: { command: 'npm test', args: [], env: null } })).toBe('allow')
  const named = { arguments: { ...test.arguments, env: { exists: true } }, decision: 'allow' }
  expect(verdict(named, { arguments: { command: 'npm test', env: { A: '1' } } })).toBe('allow')
  const nested = { command: 'ls', env: { deep: { a: 1 } } }
  expect(() => alwaysRule({ ...call, arguments: nested }, 'everyone')).toThrow('allow it once')
})

test('[G347] a rule that allows a command does not allow it without its sandbox', () => {
  const test = { arguments: { command: { command: 'npm test' } }, decision: 'allow' }
  for (const more of [{ sandbox: false }, { sandbox_mode: false }])
    expect(verdict(test, { arguments: { command: 'npm test', ...more } })).toBe('ask')
  expect(verdict(test, { arguments: { command: 'npm test', shell: false } })).toBe('allow')
})

test('[G348] a rule that allows a command allows it where the agent works, unless it names the folder', () => {
  const test = { arguments: { command: { command: 'npm test' } }, decision: 'allow' }
  const run = (more: object, known: object = { cwd: '/site', bases: ['/site'] }) =>
    verdict(test, { ...known, arguments: { command: 'npm test', ...more } })
  for (const here of [{}, { cwd: '/site' }, { workdir: '/site/web' }, { cwd: 'web' }, { cwd: '.' }, { cwd: '' }])
    expect(run(here)).toBe('allow')
  for (const elsewhere of [{ cwd: '/tmp/evil' }, { workdir: '..' }, { working_directory: '~/x' }, { cwd: 7 }])
    expect(run(elsewhere)).toBe('ask')
  expect(run({ cwd: '/site' }, { cwd: undefined, bases: undefined })).toBe('ask')
  const named = { arguments: { ...test.arguments, cwd: { path: '/tmp/**' } }, decision: 'allow' }
  expect(verdict(named, { arguments: { command: 'npm test', cwd: '/tmp/evil' } })).toBe('allow')
})
