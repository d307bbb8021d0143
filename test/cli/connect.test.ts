import { hash } from 'node:crypto'
import { existsSync, linkSync, lstatSync, mkdirSync, readFileSync, rmdirSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { jsonText } from '../../src/cli/connect/formats/json-text.ts'
import { tomlText } from '../../src/cli/connect/formats/toml-text.ts'
import { yamlText } from '../../src/cli/connect/formats/yaml-text.ts'
import { executable } from '../support/agent.ts'
import { openHome, PROGRAMS } from '../support/cli/home-with-agents.ts'
import { startParley } from '../support/process.ts'

const ALL = Object.keys(PROGRAMS) as (keyof typeof PROGRAMS)[]
const STDIO = { command: process.execPath, args: [executable, 'stdio'], env: {} }
const DAY = 86_400
const GEMINI = '.gemini/settings.json'

/** What each file holds before, with everything that can be lost, and what its entry is then. */
const FILES = {
  codex: {
    file: '.codex/config.toml',
    before: '# mine\r\nmodel = "o9" # best\r\n\r\n[mcp_servers.files]\r\ncommand = "files"\r\n',
    entry: { ...STDIO, tool_timeout_sec: DAY },
  },
  gemini: {
    file: '.gemini/settings.json',
    before: '{\n\t// mine\n\t"theme": "dark", "odd": [1,2 ],\n\t"mcpServers": {"files": {"command": "files"}}\n}\n',
    entry: { ...STDIO, timeout: DAY * 1000 },
  },
  qwen: {
    file: '.qwen/settings.json',
    before: '\ufeff{"a": 1}',
    entry: { ...STDIO, alwaysLoadTools: true, timeout: DAY * 1000 },
  },
  opencode: {
    file: '.config/opencode/opencode.jsonc',
    before: '{\n  "mcp": {\n    // none yet\n  },\n  "x": {},\n}',
    entry: {
      type: 'local',
      command: [process.execPath, ...STDIO.args],
      environment: {},
      timeout: DAY * 1000,
    },
  },
  copilot: {
    file: '.copilot/mcp-config.json',
    before: '{\n    "mcpServers": {},\n    "b": "ü"\n}',
    entry: { type: 'local', ...STDIO, tools: ['*'], timeout: DAY * 1000 },
  },
  kimi: {
    file: '.kimi-code/mcp.json',
    before: '{"mcpServers":{"a":{}}}',
    entry: { ...STDIO, toolTimeoutMs: DAY * 1000 },
  },
  pi: { file: '.pi/agent/mcp.json', before: '', entry: { ...STDIO, exposure: 'direct', timeout: DAY } },
  cline: { file: '.cline/data/settings/cline_mcp_settings.json', before: '{}\n', entry: { ...STDIO, timeout: DAY } },
  continue: {
    file: '.continue/config.yaml',
    before: 'name: mine # said\nmodels:\n  - name: big\n',
    entry: STDIO,
  },
  amp: { file: '.config/amp/settings.json', before: '{\n  // mine\n  "amp.x": 1,\n}\n', entry: STDIO },
  droid: {
    file: '.factory/mcp.json',
    before: '{\n  "mcpServers": {},\n  "persistentPermissions": {}\n}\n',
    entry: { type: 'stdio', ...STDIO, timeout: DAY * 1000 },
  },
}
const AT = {
  codex: ['mcp_servers', 'parley'],
  opencode: ['mcp', 'parley'],
  amp: ['amp.mcpServers', 'parley'],
} as Record<string, string[]>

function entryIn(client: string, text: string): unknown {
  const format = client === 'codex' ? tomlText : client === 'continue' ? yamlText : jsonText({ comments: true })
  const [servers = '', name = ''] = AT[client] ?? ['mcpServers', 'parley']
  return (format.read(text)[servers] as Record<string, unknown>)[name]
}

test('[C204] every agent that is found is connected in its own way, once, and every file is as it was then', async () => {
  const { write, read, isThere, connect } = await openHome(ALL)
  for (const { file, before } of Object.values(FILES)) write(file, before)
  const printed = await connect(['--print'])
  expect(printed.stdout.match(/^\+\+\+ /gm)).toHaveLength(ALL.length)
  for (const { file, before } of Object.values(FILES)) expect(read(file)).toBe(before)

  expect(await connect()).toMatchObject({ code: 0, stderr: '' })
  for (const [client, { file, entry }] of Object.entries(FILES))
    expect(entryIn(client, read(file)), client).toEqual(entry)
  const texts = Object.values(FILES).map(({ file }) => read(file))
  const again = await connect()
  expect(again.stdout.match(/is connected already/g)).toHaveLength(ALL.length)
  expect(Object.values(FILES).map(({ file }) => read(file))).toEqual(texts)

  expect(await connect(['--remove'])).toMatchObject({ code: 0, stderr: '' })
  for (const { file, before } of Object.values(FILES)) {
    expect(read(file)).toBe(before)
    expect(isThere(`${file}.before-parley`)).toBe(false)
  }
  expect((await connect(['--remove'])).stdout.match(/was not connected/g)).toHaveLength(ALL.length)
})

test('[C205] where there was no file, none is left; what is allowed and told stands where each agent looks', async () => {
  const { home, write, read, isThere, connect } = await openHome(ALL)
  write('.git/HEAD', '')
  await connect(['--allow', '--instructions'])
  expect(entryIn('codex', read('.codex/config.toml'))).toMatchObject({ default_tools_approval_mode: 'approve' })
  for (const client of ['gemini', 'qwen'] as const)
    expect(entryIn(client, read(FILES[client].file))).toMatchObject({ trust: true })
  expect(entryIn('cline', read(FILES.cline.file))).toMatchObject({ autoApprove: expect.arrayContaining(['ask_user']) })
  expect(JSON.parse(read('.config/opencode/opencode.json')).permission).toEqual({ 'parley_*': 'allow' })
  expect(JSON.parse(read('.copilot/permissions-config.json')).locations).toEqual({
    [home]: { tool_approvals: [{ kind: 'mcp', serverName: 'parley', toolName: null }] },
  })
  const told = [
    '.codex/AGENTS.md',
    '.gemini/GEMINI.md',
    '.qwen/QWEN.md',
    '.copilot/instructions/parley.instructions.md',
  ]
  for (const file of told) expect(read(file)).toMatch(/^<!-- parley:begin -->\nWhen you need an answer/)
  await connect(['--remove'])
  const made = [...told, '.codex/config.toml', GEMINI, '.continue/config.yaml', '.copilot/permissions-config.json']
  for (const file of made) expect(isThere(file), file).toBe(false)
})

test('[C206] what others wrote meanwhile stays, and only its own is taken out', async () => {
  const { write, read, connect } = await openHome(['codex', 'gemini', 'continue'])
  write('.gemini/settings.json', '{}')
  write('.codex/AGENTS.md', 'Mine\n')
  await connect(['--instructions'])
  write('.gemini/settings.json', read('.gemini/settings.json').replace('{', '{ // mine\n  "theme": 1,'))
  write('.codex/config.toml', `${read('.codex/config.toml')}\n# mine\n[x]\na = 1\n`)
  write('.codex/AGENTS.md', `${read('.codex/AGENTS.md')}More\n`)
  write('.continue/config.yaml', `${read('.continue/config.yaml')}name: mine\n`)
  await connect(['--remove'])
  expect(jsonText({ comments: true }).read(read('.gemini/settings.json'))).toEqual({ theme: 1 })
  expect(read('.gemini/settings.json')).toContain('// mine')
  expect(read('.codex/config.toml')).toBe('# mine\n[x]\na = 1\n')
  expect(read('.codex/AGENTS.md')).toBe('Mine\n\nMore\n')
  expect(read('.continue/config.yaml')).toBe('name: mine\n')
})

test('[C207] Claude Code keeps its state in its file, which is written while nobody else does', async () => {
  const { home, write, read, isThere, connect } = await openHome(['claude'])
  const before = JSON.stringify({ history: ['a'.repeat(5_000_000)] }, null, 2)
  write('.claude.json', before)
  write('.claude/settings.json', '{\n  "permissions": {\n    "allow": ["Bash(ls)"]\n  }\n}\n')
  expect((await connect(['--print'])).stdout).toContain('+    "parley": {')
  expect(await connect(['--allow'])).toMatchObject({ code: 0, stderr: '' })
  const entry = { type: 'stdio', ...STDIO, timeout: DAY * 1000 }
  expect(JSON.parse(read('.claude.json'))).toEqual({ ...JSON.parse(before), mcpServers: { parley: entry } })
  expect(JSON.parse(read('.claude/settings.json')).permissions.allow).toEqual(['Bash(ls)', 'mcp__parley'])
  expect((await connect(['--allow'])).stdout).toContain('is connected already')
  // As Claude Code does while it writes. One that is old was left behind, which this one never looks like.
  const taken = join(home, '.claude.json.lock')
  mkdirSync(taken)
  utimesSync(taken, new Date(), new Date(Date.now() + DAY * 1000))
  const waiting = connect(['--surface', 'agent'])
  await expect.poll(() => isThere('.claude.json.parley-lock')).toBe(true)
  write('.claude.json', read('.claude.json').replace('"mcpServers"', '"numStartups": 7,\n  "mcpServers"'))
  rmdirSync(taken)
  await waiting
  expect(JSON.parse(read('.claude.json'))).toMatchObject({ numStartups: 7 })
  expect(JSON.parse(read('.claude.json')).mcpServers.parley.args).toContain('agent')
  write('.claude.json', read('.claude.json').replace('"numStartups": 7,\n  ', ''))
  await connect(['--remove'])
  expect(read('.claude.json') === before).toBe(true)
  expect(read('.claude/settings.json')).toBe('{\n  "permissions": {\n    "allow": ["Bash(ls)"]\n  }\n}\n')
  await connect(['claude', 'copilot', 'pi-0', '--project'])
  const shared = { ...entry, tools: ['*'], directTools: true, requestTimeoutMs: DAY * 1000 }
  expect(JSON.parse(read('.mcp.json')).mcpServers.parley).toEqual(shared)
  const again = await connect(['claude', 'copilot', 'pi-0', '--project'])
  expect(again.stdout.match(/is connected already/g)).toHaveLength(3)
})

const BAD: [string, (home: Awaited<ReturnType<typeof openHome>>) => void, string][] = [
  ['broken', ({ write }) => write(GEMINI, '{"a": '), 'is not valid (line 1'],
  ['without an object', ({ write }) => write(GEMINI, '[]'), 'holds no object'],
  ['with the key twice', ({ write }) => write(GEMINI, '{"mcpServers":{},"mcpServers":{}}'), 'has "mcpServers" twice'],
  [
    'with another kind of value',
    ({ write }) => write(GEMINI, '{"mcpServers":[]}'),
    'has something else than an object',
  ],
  [
    'with an entry of somebody',
    ({ write }) => write(GEMINI, '{"mcpServers":{"parley":{"command":"own"}}}'),
    'has an entry "parley" that parley connect did not write',
  ],
  ['10 MB large', ({ write }) => write(GEMINI, `{"a":"${'a'.repeat(10_000_000)}"}`), 'is larger than 4 MB'],
  ['no UTF-8', ({ write }) => write(GEMINI, Buffer.from([0x7b, 0xff, 0x7d])), 'is not UTF-8'],
  ['a folder', ({ home }) => mkdirSync(join(home, GEMINI), { recursive: true }), 'is a folder'],
  ['read-only', ({ write }) => write(GEMINI, '{}', 0o444), 'is read-only'],
  ['a link to nowhere', ({ link }) => link('none', GEMINI), 'is a link to nowhere'],
  ['a link in a circle', ({ link }) => link(GEMINI, GEMINI), 'is a link to nowhere (ELOOP)'],
  ['in a folder that is one', ({ link }) => link('.gemini', '.gemini'), 'cannot be read (ELOOP)'],
  [
    'there under two names',
    ({ home, write }) => {
      write(GEMINI, '{}')
      linkSync(join(home, GEMINI), join(home, 'other'))
    },
    'has another name, a hard link',
  ],
  ['in a file', ({ write }) => write('.gemini', 'no folder'), 'is in a folder that cannot be made'],
]

test.each(BAD)(
  '[C208] a file that is %s is left as it is, and told in one sentence; the next agent is connected',
  async (_, prepare, problem) => {
    const home = await openHome(['gemini', 'codex'])
    prepare(home)
    const path = join(home.home, GEMINI)
    const before = bytesOf(path)
    const { code, stdout, stderr } = await home.connect()
    expect(code).toBe(1)
    expect(stderr).toMatch(/^Gemini CLI: .*, and was left as it is\n$/)
    expect(stderr.startsWith(`Gemini CLI: ${path} `)).toBe(true)
    expect(stderr).toContain(problem)
    expect(stdout).toContain('Codex: connected')
    expect(bytesOf(path)).toEqual(before)
  },
)

test('[C209] a file is written through its link, with its mode and line ends, where its variable says it is', async () => {
  const { home, write, link, read, connect } = await openHome(['gemini', 'codex', 'qwen'])
  write('real/settings.json', '{\r\n  "a": 1\r\n}\r\n', 0o640)
  link('real/settings.json', GEMINI)
  await connect([], { CODEX_HOME: join(home, 'moved'), QWEN_HOME: join(home, 'with blanks ü') })
  expect(lstatSync(join(home, GEMINI)).isSymbolicLink()).toBe(true)
  expect(read('real/settings.json').match(/(?<!\r)\n/)).toBeNull()
  expect(statSync(join(home, 'real/settings.json')).mode & 0o777).toBe(0o640)
  expect(read('moved/config.toml')).toContain('[mcp_servers.parley]')
  expect(read('with blanks ü/settings.json')).toContain('"parley"')
})

test('[C210] over HTTP it is an address, and where people sign in a token for each agent that stands nowhere else', async () => {
  const { home, read, connect } = await openHome(['gemini', 'codex'])
  const data = join(home, 'data')
  await connect(['--http', '--port', '4117', '--data', data])
  expect(entryIn('gemini', read(GEMINI))).toEqual({ httpUrl: 'http://localhost:4117/mcp', timeout: DAY * 1000 })
  await connect(['--remove', '--data', data])
  await startParley(['protect', '--data', data]).ended
  const asked = ['--http', '--port', '4117', '--surface', 'agent', '--data', data]
  const { stdout } = await connect(asked)
  const { url, http_headers } = entryIn('codex', read('.codex/config.toml')) as { url: string; http_headers: object }
  expect(url).toBe('http://localhost:4117/mcp/agent')
  const [secret = ''] = /(?<=Bearer ).+/.exec(Object.values(http_headers)[0]) ?? []
  expect(secret.length).toBeGreaterThan(20)
  expect(read(GEMINI)).toContain('Bearer ')
  expect(read(GEMINI) + stdout).not.toContain(secret)
  const before = read('.codex/config.toml')
  expect((await connect(asked)).stdout).toContain('Codex: is connected already')
  expect(read('.codex/config.toml')).toBe(before)
  await connect(['--remove', '--data', data])
  expect((await startParley(['token', 'list', '--data', data]).ended).stdout).toMatch(/connect-codex .*revoked/)
})

test('[C211] who is not known, not there or started from a cache is told what to do', async () => {
  const { home, write, connect } = await openHome([])
  expect(await connect()).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('No agent was found here; name one of claude, codex'),
  })
  expect(await connect(['codx'])).toMatchObject({ code: 2, stderr: expect.stringContaining('did you mean codex?') })
  write('_npx/1/bin/parley.js', `process.argv[1] = __filename; require(${JSON.stringify(executable)})`)
  const cached = startParley(['connect', 'codex'], { HOME: home }, join(home, '_npx/1/bin/parley.js'))
  expect((await cached.ended).stderr).toContain('This Parley is in the cache of npx, which is cleared now and then')
})

test('[C212] what each agent would start is started, and told whether it works', async () => {
  const { home, write, read, connect } = await openHome(['codex', 'gemini', 'opencode', 'continue', 'kimi'])
  const data = ['--data', join(home, 'data')]
  onTestFinished(async () => void (await startParley(['stop', ...data]).ended))
  await connect(['codex', 'gemini', 'opencode', 'continue', '--surface', 'agent', ...data])
  write(GEMINI, read(GEMINI).replace('parley.js', 'gone.js'))
  const { code, stdout, stderr } = await connect(['--check'])
  expect(code).toBe(1)
  expect(stdout).toBe('Codex: works, with 6 tools\nopencode: works, with 6 tools\nContinue: works, with 6 tools\n')
  expect(stderr).toMatch(/^Gemini CLI: does not work: .*\nKimi Code: is not connected\n$/)
  await connect(['codex', '--http', ...data])
  expect((await connect(['codex', '--check'])).stdout).toBe('Codex: works, with 1 tool\n')
})

function bytesOf(path: string): string | undefined {
  if (!existsSync(path) || !lstatSync(path).isFile()) return undefined
  return hash('sha256', readFileSync(path))
}
