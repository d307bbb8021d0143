import { homedir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readAsked } from './asked.ts'
import { readFlags, tokensIn } from './flags.ts'

const asked = (args: string[], env: Record<string, string> = {}, cwd = '/work/shop') =>
  readAsked({ args, env, cwd, line: 'line-1' })

test('[C60] a line that is told nothing wants the hub of its person, and says only where it is', () => {
  const { hub, hello } = asked([])
  expect(hub).toEqual({ data: join(homedir(), '.parley'), given: {}, port: undefined })
  expect(hello).toMatchObject({ line: 'line-1', surface: 'bridge', title: 'shop', folder: '/work/shop', wants: {} })
  for (const unsaid of ['conversation', 'driven', 'run', 'port', 'max_wait_seconds', 'token', 'tokens'])
    expect(hello).toHaveProperty(unsaid, undefined)
})

test('[C60] a line says which run of its client and which kind of driven agent it is for', () => {
  expect(asked([], { QWEN_CODE_SESSION_ID: 'r'.repeat(300), PARLEY_DRIVEN: 'model' }).hello).toMatchObject({
    run: 'r'.repeat(200),
    driven: 'model',
  })
  expect(asked([], { COPILOT_AGENT_SESSION_ID: 'one', PARLEY_DRIVEN: 'other' }).hello).toMatchObject({
    run: 'one',
    driven: undefined,
  })
})

test('[C60] a folder whose name names no conversation is an agent’s', () => {
  expect(asked([], {}, '/').hello).toMatchObject({ title: 'agent', folder: '/' })
})

test('[C60] a line finds its data folder from where it is, wants any port by 0, and keeps nothing where that is said', () => {
  expect(asked(['stdio', '--data', 'own', '--port=0']).hub).toMatchObject({ data: '/work/shop/own', port: 0 })
  expect(asked(['--data=memory', '--port', '5001']).hub).toMatchObject({ data: 'memory', port: undefined })
})

test.each([
  [['--nothing'], {}, 'Unknown option --nothing'],
  [['--port'], {}, '--port needs a value'],
  [['--port', '--data=own'], {}, '--port needs a value'],
  [['--log-content=yes'], {}, '--log-content takes no value'],
  [['stdio', 'more'], {}, 'Unexpected argument more'],
  [['more'], {}, 'Unexpected argument more'],
  [[], { PARLEY_SESSION: 'a\nb' }, 'A session '],
])('[C64] %j with %j is refused: %s', (args, env, problem) => {
  expect(() => asked(args, env as Record<string, string>)).toThrow(problem)
})

test('[C59] of an option that is given twice all values count where it may be, and else the last', () => {
  const table = [
    ['origin', { value: 'URL', about: '', origins: true }],
    ['header', { value: 'TEXT', about: '', many: true }],
    ['port', { value: 'N', about: '' }],
    ['quiet', { about: '', short: 'q' }],
  ] as unknown as Parameters<typeof tokensIn>[1]
  const args = ['--origin=a', '--origin=b', '--header=c', '--header=d', '--port=1', '--port=2', '-q', 'word']
  expect(
    readFlags(tokensIn(args, table), { table, help: '', unknown: (option) => new Error(option) as never }),
  ).toEqual({
    flags: { origin: 'a b', header: 'c\nd', port: '2', quiet: '1' },
    words: ['word'],
  })
})
