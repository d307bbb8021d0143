import { homedir } from 'node:os'
import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

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
  })
  expect(Object.isFrozen(read)).toBe(true)
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
  [['serve', '--help=yes'], '--help takes no value; see parley --help'],
])('[C3] %j is refused with the nearest right thing', (args, sentence) => {
  expect(() => config(args)).toThrow(sentence)
})

test('[C3] a session name that cannot be one is refused', () => {
  expect(() => config(['stdio'], { PARLEY_SESSION: 'a\u0007b' })).toThrow('must not hold control characters')
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
