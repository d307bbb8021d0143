import { writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../test/support/hub.ts'
import { attempt } from '../io/attempt.ts'
import { VERSION } from '../protocol/version.ts'
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
  [['--prot', '1'], 'Unknown option --prot; did you mean --port?'],
  [['stdio', '--colour', 'x'], 'Unknown option --colour; see parley stdio --help'],
  [['--data'], '--data needs a value; see parley stdio --help'],
  [['--data', '--port=1'], '--data needs a value; see parley stdio --help'],
  [['--log-content=1'], '--log-content takes no value; see parley stdio --help'],
  [['stdio', 'more'], 'Unexpected argument more; see parley stdio --help'],
  [['more'], 'Unexpected argument more; see parley stdio --help'],
  [['--surface', 'brigde'], 'Unknown surface brigde; did you mean bridge?'],
  [['--allow-origin'], '--allow-origin needs a value; see parley stdio --help'],
  [
    ['--allow-origin', 'http://a', '--allow-origin', 'null'],
    '--allow-origin takes exact origins like http://localhost:5173, not "null"',
  ],
  [['--port', '65536'], '--port must be a number from 0 to 65535, not "65536"'],
])('[C64] %j is refused with the nearest right thing', (args, sentence) => {
  expect(refusalOf(args)).toMatchObject({ code: 'usage', message: sentence })
})

test('[C77] a data folder that is a file is refused, and nothing kept is none', async () => {
  const path = join(await temporaryFolder(), 'file')
  writeFileSync(path, '')
  expect(refusalOf(['--data', path])).toMatchObject({ message: expect.stringContaining(path) })
  const cwd = process.cwd()
  process.chdir(dirname(path))
  onTestFinished(() => process.chdir(cwd))
  writeFileSync('memory', '')
  expect(asked(['--data', 'memory']).hub.data).toBe('memory')
})

test('[C64] a session is a name, without the space around it', () => {
  expect(refusalOf([], { PARLEY_SESSION: 'a\nb' })).toMatchObject({
    code: 'usage',
    message: 'A session must not hold control characters; see parley stdio --help',
  })
  expect(asked([], { PARLEY_SESSION: ' work ' }).hello.conversation).toBe('work')
})

function refusalOf(args: string[], env: Record<string, string> = {}): unknown {
  return attempt(
    () => asked(args, env),
    (error) => error,
  )
}

test('[C60] a line says everything that it is told, and what the hub is to be', () => {
  const env = { CLAUDE_CODE_SESSION_ID: 'run-1', QWEN_CODE_SESSION_ID: 'other', PARLEY_MAX_WAIT: '9' }
  const { hub, hello } = asked(['stdio', '--surface', 'agent', '--max-rate=7', '--log-content', '--port', '5001'], {
    ...env,
    ...{ PARLEY_TOKEN: 't', PARLEY_TOKENS: 'ada:human:secret', PARLEY_DRIVEN: 'agent' },
  })
  expect(hub.port).toBeUndefined()
  expect(hello).toMatchObject({
    ...{ surface: 'agent', port: 5001, max_wait_seconds: 9, run: 'run-1', driven: 'agent', version: VERSION },
    ...{ token: 't', tokens: 'ada:human:secret', wants: { 'max-rate': '7', 'log-content': '1' } },
  })
  expect(asked(['--port=0']).hello.port).toBeUndefined()
  expect(asked([], { PARLEY_DRIVEN: 'agent' }).hello.driven).toBe('agent')
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
