import { homedir } from 'node:os'
import { expect, test } from 'vitest'
import { DEFAULT_LIMITS } from '../protocol/limits.ts'
import { LINE_SETTINGS, SETTINGS, type Setting } from '../protocol/settings.ts'
import type { CommandText } from './command-text.ts'
import { COMMANDS, flagsOf } from './commands.ts'
import { wantedToken } from './hub/wanted-token.ts'
import { type Run, runProgram, type Typed } from './program.ts'

/** What a command line does: the command that runs, with what it gets, and what is printed. */
async function done(args: string[], env: Record<string, string> = {}) {
  const ran: (Typed & { command: string })[] = []
  let printed = ''
  const run = Object.fromEntries(
    Object.keys(COMMANDS)
      .filter((command) => !['token', 'policy', 'mount', 'service'].includes(command))
      .map((command) => [command, async (line: Typed) => ran.push({ command, ...line })]),
  ) as Run
  await runProgram(args, {
    env,
    cwd: '/home/ada/website',
    run,
    print: (text) => {
      printed += text
    },
  })
  return { ...(ran[0] as (typeof ran)[0]), printed }
}

test('[C1] flags win over the environment, and nothing changes afterwards', async () => {
  const { command, config } = await done(['serve', '--port', '3003', '--data', 'here'], {
    PORT: '1',
    PARLEY_DATA: '/there',
  })
  expect(command).toBe('serve')
  expect(config).toEqual({
    host: '127.0.0.1',
    port: 3003,
    data: '/home/ada/website/here',
    limits: DEFAULT_LIMITS,
    log: { level: 'info', content: false },
    given: { port: '3003', data: 'here' },
  })
  for (const part of [config, config.limits, config.log, config.given]) expect(Object.isFrozen(part)).toBe(true)
  const { config: fromEnv } = await done(['serve'], { PORT: '8080' })
  expect(fromEnv).toMatchObject({ port: 8080, data: `${homedir()}/.parley` })
  expect((await done(['serve', '--data', 'memory'])).config.data).toBe('memory')
})

test('[C2] without a command a person gets the list of commands', async () => {
  const { command, printed } = await done([])
  expect(command).toBeUndefined()
  expect(printed).toContain('Usage: parley COMMAND [options]')
  for (const args of [['help'], ['--help'], ['-h']]) expect((await done(args)).printed).toBe(printed)
})

const VERSION_LINE = /^\d+\.\d+\.\d+\S*\n$/

test.each([['-v'], ['--version'], ['version'], ['serve', '--version']])(
  '[C2] %s tells the version',
  async (...args) => {
    expect((await done(args)).printed).toMatch(VERSION_LINE)
  },
)

test.each([
  [['serve', '--prot', '1'], 'Unknown option --prot; did you mean --port?'],
  [['serve', '--prot=1'], 'Unknown option --prot; did you mean --port?'],
  [['--dat', 'x'], 'Unknown option --dat; did you mean --data?'],
  [['--x-files'], 'Unknown option --x-files; see parley help'],
  [['-x'], 'Unknown option -x; see parley help'],
  [['--x'], 'Unknown option --x; see parley help'],
  [['serve', '-x'], 'Unknown option -x; see parley serve --help'],
  [['--data', 'x'], '--data comes after a command; see parley help'],
  [['--data', 'x', 'serve'], '--data comes after a command; see parley help'],
  [['serv'], 'Unknown command serv; did you mean serve?'],
  [['serv', '--port', '1'], 'Unknown command serv; did you mean serve?'],
  [['dance'], 'Unknown command dance; see parley help'],
  [['help', 'serv'], 'Unknown command serv; did you mean serve?'],
  [['help', 'token', 'crate'], 'Unknown command token crate; did you mean create?'],
  [['serve', 'now'], 'Unexpected argument now; see parley serve --help'],
  [['serve', '--port'], '--port needs a value; see parley serve --help'],
  [['serve', '--data='], '--data needs a value; see parley serve --help'],
  [['serve', '--data', '--port', '1'], '--data needs a value; see parley serve --help'],
  [['serve', '--port', 'http'], '--port must be a number from 0 to 65535, not "http"'],
  [['serve', '--port', '65536'], '--port must be a number from 0 to 65535, not "65536"'],
  [['serve', '--port', '-1'], '--port must be a number from 0 to 65535, not "-1"'],
  [['serve', '--role', 'agent'], 'Unknown option --role; see parley serve --help'],
  [['serve', '--keep', '1'], 'Unknown option --keep; see parley serve --help'],
  [['open', '--surface', 'agent'], 'Unknown option --surface; see parley open --help'],
  [['status', '--port', '1'], 'Unknown option --port; see parley status --help'],
  [['tokn'], 'Unknown command tokn; did you mean token?'],
  [['token'], 'token needs one of create, list, revoke, link; see parley token --help'],
  [['token', 'crate'], 'Unknown command token crate; did you mean create?'],
  [['token', '--role', 'human'], '--role comes after a command; see parley token --help'],
  [['token', 'create'], 'token create needs a name; see parley token create --help'],
  [['token', 'create', 'a', 'b'], 'Unexpected argument b (a name with spaces needs quotes)'],
  [['token', 'create', 'a', '--port', '1'], 'Unknown option --port; see parley token create --help'],
  [['token', 'list', 'all'], 'Unexpected argument all; see parley token list --help'],
  [['token', 'revoke', 'a', '--role', 'human'], 'Unknown option --role; see parley token revoke --help'],
  [['export'], 'export needs a name; see parley export --help'],
  [['export', 'a', 'b'], 'Unexpected argument b (a name with spaces needs quotes)'],
  [['export', 'a', '--port', '1'], 'Unknown option --port; see parley export --help'],
  [['exprot', 'a'], 'Unknown command exprot; did you mean export?'],
  [['serve', '--help=yes'], '--help takes no value; see parley serve --help'],
  [['serve', '--log-content=yes'], '--log-content takes no value; see parley serve --help'],
  [['completion', 'fis'], 'No completion for fis; did you mean fish?'],
  [['completion'], 'completion needs a shell; see parley completion --help'],
])('[C3] %j is refused with the nearest right thing', async (args, sentence) => {
  await expect(done(args)).rejects.toThrow(sentence)
  await expect(done(args)).rejects.toMatchObject({ code: 'usage' })
})

test('[C20] limits and the log come from flags or the environment', async () => {
  const flags = ['--max-rate', '5', '--max-connections', '6', '--max-message', '2048', '--log', 'debug']
  const { config } = await done(['serve', ...flags, '--log-content'], { PARLEY_MAX_RATE: '9', PARLEY_LOG: 'warn' })
  expect(config).toMatchObject({
    limits: { ...DEFAULT_LIMITS, rate: 5, connections: 6, messageBytes: 2048 },
    log: { level: 'debug', content: true },
  })
  const env = {
    PARLEY_MAX_RATE: '1',
    PARLEY_MAX_CONNECTIONS: '2',
    PARLEY_MAX_MESSAGE: '3000',
    PARLEY_MAX_UNREAD: '4000',
    PARLEY_HEARTBEAT: '5',
    PARLEY_LOG: 'error',
    PARLEY_LOG_CONTENT: '1',
  }
  expect((await done(['serve'], env)).config).toMatchObject({
    limits: { rate: 1, connections: 2, messageBytes: 3000, unreadBytes: 4000, heartbeatSeconds: 5 },
    log: { level: 'error', content: true },
  })
})

test.each([
  [['serve', '--max-rate', '0'], {}, '--max-rate must be a number from 1 to 1000000, not "0"'],
  [['serve', '--max-rate', '1e3'], {}, '--max-rate must be a number from 1 to 1000000, not "1e3"'],
  [['serve', '--max-message', '2097152'], {}, '--max-message must be a number from 1024 to 1048576'],
  [['serve'], { PARLEY_MAX_CONNECTIONS: 'many' }, 'PARLEY_MAX_CONNECTIONS must be a number from 1 to 1000000'],
  [['open', '--heartbeat', '-1'], {}, '--heartbeat must be a number from 1 to 3600, not "-1"'],
  [['serve', '--max-connection', '1'], {}, 'Unknown option --max-connection; did you mean --max-connections?'],
  [['serve', '--log', 'inf'], {}, 'Unknown log level inf; did you mean info?'],
  [['token', 'list', '--max-rate', '1'], {}, 'Unknown option --max-rate'],
])('[C20] %j with %j is refused with the nearest right thing', async (args, env, sentence) => {
  await expect(done(args, env)).rejects.toThrow(sentence)
})

test('[C59] origins are given one by one, or together in the environment', async () => {
  const flags = ['--allow-origin', 'http://localhost:5173', '--allow-origin=https://app.example']
  const { config } = await done(['serve', ...flags], { PARLEY_ALLOW_ORIGINS: 'http://other' })
  expect(config.given).toEqual({ 'allow-origin': 'http://localhost:5173 https://app.example' })
  const { config: fromEnv } = await done(['open'], { PARLEY_ALLOW_ORIGINS: 'http://a, http://b' })
  expect(fromEnv.given).toEqual({ 'allow-origin': 'http://a, http://b' })
  const wrong = done(['serve', '--allow-origin', 'http://a', '--allow-origin', '*'])
  await expect(wrong).rejects.toThrow('--allow-origin takes exact origins like http://localhost:5173, not "*"')
  await expect(done(['serve', '--allow-origin'])).rejects.toThrow('--allow-origin needs a value')
})

test('[C82] a variable that a command has no use for does not keep it from running', async () => {
  const { command } = await done(['status'], { PORT: 'http', PARLEY_MAX_RATE: 'many' })
  expect(command).toBe('status')
  expect((await done(['serve'], { PARLEY_KEEP: 'long' })).config.given).toEqual({})
})

test.each([
  ['local', {}, 'A name must not be "local"; see parley token create --help'],
  ['a', { role: 'humn' }, 'Unknown role humn; did you mean human?'],
  ['a', { role: 'human', session: ' ' }, 'A session must not be empty; see parley token create --help'],
  ['a', { role: 'human', expires: '0d' }, 'like 45m, 12h or 30d, and "0d" is not; see parley token create --help'],
  ['a', { role: 'human', expires: 'soon' }, 'like 45m, 12h or 30d, and "soon" is not; see parley token create --help'],
])('[C3] a token of %s with %j is refused with the nearest right thing', (name, flags, sentence) => {
  expect(() => wantedToken(name, flags)).toThrow(sentence)
})

test('[C12] a token is what its line says, and takes no conversation from the environment', async () => {
  const { command, words, flags } = await done(['token', 'create', 'ada'], { PARLEY_SESSION: 'web' })
  expect([command, words, flags]).toEqual(['token create', ['ada'], {}])
  const all = ['token', 'create', 'codex', '--role', 'agent', '--session', 'web', '--expires', '30d']
  expect(wantedToken('codex', (await done(all)).flags)).toEqual({
    name: 'codex',
    role: 'agent',
    conversation: 'web',
    lifeMs: 30 * 24 * 60 * 60_000,
  })
})

test('[C80] help lists every command once, by what a person wants to do', async () => {
  const { printed } = await done(['help'])
  const listed = [...printed.matchAll(/^ {2}(\w+)/gm)].map(([, name]) => name)
  const top = Object.entries<CommandText>(COMMANDS).filter(([name]) => !name.includes(' '))
  expect(listed).toEqual(top.map(([name]) => name))
  const titles = [...printed.matchAll(/^(\w.*):$/gm)].map(([, title]) => title)
  expect(titles).toEqual([...new Set(top.map(([, { group }]) => group))])
})

test.each(Object.entries<CommandText>(COMMANDS))(
  '[C81] %s --help shows its own options and no others, and two examples',
  async (name, text) => {
    const words = name.split(' ')
    const { printed } = await done([...words, '--help'])
    expect(printed).toContain(`Usage: parley ${name}`)
    const shown = [...printed.matchAll(/^ {2}(?:-\w, )?--([\w-]+)/gm)].map(([, flag]) => flag)
    expect(shown).toEqual(flagsOf(text).map(([flag]) => flag))
    expect(text.examples).toHaveLength(2)
    for (const [line] of text.examples) expect(printed).toContain(`  ${line}`)
    expect((await done(['help', ...words])).printed).toBe(printed)
  },
)

test.each(['', ...Object.keys(COMMANDS)])(
  '[C284] the help of parley %s has no line of more than 80 columns',
  async (name) => {
    const { printed } = await done([...name.split(' ').filter(Boolean), '--help'])
    expect(printed.split('\n').filter((line) => line.length > 80)).toEqual([])
  },
)

test('[C20] the help of stdio shows every setting with its variable', async () => {
  const { printed } = await done(['stdio', '--help'])
  const asOneLine = printed.replace(/\s+/g, ' ')
  for (const name of LINE_SETTINGS) {
    const { variable, value }: Setting = SETTINGS[name]
    expect(asOneLine).toContain(value ? `--${name} ${value} ` : `--${name} `)
    if (variable) expect(asOneLine).toContain(`[env: ${variable}]`)
  }
  expect(asOneLine).toContain('PARLEY_SESSION')
})
