import { homedir } from 'node:os'
import { expect, test } from 'vitest'
import { DEFAULT_LIMITS } from '../protocol/limits.ts'
import { readConfig } from './config.ts'
import { HELP } from './help.ts'

function config(args: string[], env: Record<string, string> = {}, piped = false) {
  return readConfig({ args, env, cwd: '/home/ada/website', piped })
}

test('[C1] flags win over the environment, and nothing changes afterwards', () => {
  const read = config(['serve', '--port', '3003', '--data', 'here'], {
    PORT: '1',
    PARLEY_DATA: '/there',
    PARLEY_SESSION: 'web',
  })
  expect(read).toEqual({
    command: 'serve',
    host: '127.0.0.1',
    port: 3003,
    data: '/home/ada/website/here',
    session: 'web',
    surface: 'bridge',
    title: 'website',
    limits: DEFAULT_LIMITS,
    log: { level: 'info', content: false },
  })
  for (const part of [read, read.limits, read.log]) expect(Object.isFrozen(part)).toBe(true)
  expect(config(['serve'], { PORT: '8080' })).toMatchObject({ port: 8080, data: `${homedir()}/.parley` })
  expect(config(['serve', '--data', 'memory']).data).toBe('memory')
})

test('[C2] without a command it is the MCP server of a program, and help for a person', () => {
  expect(config([], {}, true).command).toBe('stdio')
  expect(config([], {}, false).command).toBe('help')
  expect(config(['serve', '--help']).command).toBe('help')
  expect(config(['-v']).command).toBe('version')
})

test.each([
  [['serve', '--prot', '1'], 'There is no flag --prot; did you mean --port?'],
  [['serve', '--prot=1'], 'There is no flag --prot; did you mean --port?'],
  [['--dat', 'x'], 'There is no flag --dat; did you mean --data?'],
  [['--x-files'], 'There is no flag --x-files; see parley --help'],
  [['-x'], 'There is no flag -x; see parley --help'],
  [['serv'], 'There is no command serv; did you mean serve?'],
  [['dance'], 'There is no command dance; see parley --help'],
  [['serve', 'now'], 'serve takes no further words, and "now" is one; see parley --help'],
  [['serve', '--port'], '--port needs a value; see parley --help'],
  [['serve', '--port', 'http'], 'A port is a number from 0 to 65535, and "http" is not; see parley --help'],
  [['serve', '--port', '65536'], 'A port is a number from 0 to 65535, and "65536" is not; see parley --help'],
  [['serve', '--port', '-1'], 'A port is a number from 0 to 65535, and "-1" is not; see parley --help'],
  [['serve', '--role', 'agent'], 'serve knows no --role; see parley --help'],
  [['--expires', '1d'], 'help knows no --expires; see parley --help'],
  [['tokn'], 'There is no command tokn; did you mean token?'],
  [['token'], 'token needs one of create, list, revoke, link; see parley --help'],
  [['token', 'crate'], 'There is no command token crate; did you mean create?'],
  [['token', 'create'], 'token create needs a name; see parley --help'],
  [['token', 'create', 'a', 'b'], 'token create takes no further words, and "b" is one; see parley --help'],
  [['token', 'create', 'local'], 'A name must not be "local"; see parley --help'],
  [['token', 'create', 'a', '--role', 'humn'], 'There is no role humn; did you mean human?'],
  [['token', 'create', 'a', '--session', ' '], 'A session must not be empty; see parley --help'],
  [['token', 'create', 'a', '--port', '1'], 'token create knows no --port; see parley --help'],
  [['token', 'create', 'a', '--expires', '0d'], 'like 45m, 12h or 30d, and "0d" is not; see parley --help'],
  [['token', 'create', 'a', '--expires', 'soon'], 'like 45m, 12h or 30d, and "soon" is not; see parley --help'],
  [['token', 'list', 'all'], 'token list takes no further words, and "all" is one; see parley --help'],
  [['token', 'revoke', 'a', '--role', 'human'], 'token revoke knows no --role; see parley --help'],
  [['export'], 'export needs the name of a conversation; see parley --help'],
  [['export', 'a', 'b'], 'export takes one name, and "b" is one more; put a name with blanks in quotes'],
  [['export', 'a', '--format', 'htm'], 'There is no format htm; did you mean html?'],
  [['export', 'a', '--port', '1'], 'export knows no --port; see parley --help'],
  [['exprot', 'a'], 'There is no command exprot; did you mean export?'],
  [['serve', '--format', 'md'], 'serve knows no --format; see parley --help'],
  [['serve', '--help=yes'], '--help takes no value; see parley --help'],
])('[C3] %j is refused with the nearest right thing', (args, sentence) => {
  expect(() => config(args)).toThrow(sentence)
})

test('[C3] a session name that cannot be one is refused', () => {
  expect(() => config(['stdio'], { PARLEY_SESSION: 'a\u0007b' })).toThrow('must not hold control characters')
})

test('[C20] limits and the log come from flags or the environment, and help shows all of them', () => {
  const flags = ['--max-rate', '5', '--max-connections', '6', '--max-message', '2048', '--log', 'debug']
  expect(config(['serve', ...flags, '--log-content'], { PARLEY_MAX_RATE: '9', PARLEY_LOG: 'warn' })).toMatchObject({
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
  expect(config(['stdio'], env)).toMatchObject({
    limits: { rate: 1, connections: 2, messageBytes: 3000, unreadBytes: 4000, heartbeatSeconds: 5 },
    log: { level: 'error', content: true },
  })
  const named = ['--max-rate', '--max-connections', '--max-message', '--max-unread', '--heartbeat', '--log-content']
  for (const word of [...named, '--log LEVEL', ...Object.keys(env)]) expect(HELP).toContain(word)
})

test.each([
  [['serve', '--max-rate', '0'], {}, '--max-rate is a number from 1 to 1000000, and "0" is not; see parley --help'],
  [['serve', '--max-rate', '1e3'], {}, '--max-rate is a number from 1 to 1000000, and "1e3" is not'],
  [['serve', '--max-message', '2097152'], {}, '--max-message is a number from 1024 to 1048576'],
  [['serve'], { PARLEY_MAX_CONNECTIONS: 'many' }, 'PARLEY_MAX_CONNECTIONS is a number from 1 to 1000000'],
  [['stdio', '--heartbeat', '-1'], {}, '--heartbeat is a number from 1 to 3600, and "-1" is not'],
  [['serve', '--max-connection', '1'], {}, 'There is no flag --max-connection; did you mean --max-connections?'],
  [['serve', '--log', 'inf'], {}, 'There is no log level inf; did you mean info?'],
  [['token', 'list', '--max-rate', '1'], {}, 'token list knows no --max-rate'],
])('[C20] %j with %j is refused with the nearest right thing', (args, env, sentence) => {
  expect(() => config(args, env)).toThrow(sentence)
})

test('[C12] a token order says what it is about, and takes no conversation from the environment', () => {
  const { order } = config(['token', 'create', 'ada'], { PARLEY_SESSION: 'web' })
  expect(order).toEqual({ act: 'create', name: 'ada' })
  const all = ['token', 'create', 'codex', '--role', 'agent', '--session', 'web', '--expires', '30d']
  expect(config(all).order).toEqual({
    act: 'create',
    name: 'codex',
    role: 'agent',
    conversation: 'web',
    lifeMs: 30 * 24 * 60 * 60_000,
  })
  expect(config(['token', 'list']).order).toEqual({ act: 'list' })
  expect(config(['token', 'link', 'ada', '--port', '3003'])).toMatchObject({ port: 3003, order: { act: 'link' } })
  expect(config(['token', '--help']).command).toBe('help')
})
