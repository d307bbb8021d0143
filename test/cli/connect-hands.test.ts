import { expect, test } from 'vitest'
import { executable } from '../support/agent.ts'
import { openHome } from '../support/cli/home-with-agents.ts'

const GEMINI = '.gemini/settings.json'
const CLAUDE = '.claude/settings.json'
const OPENCODE = '.config/opencode/opencode.json'
const ARGS = [executable, 'stdio']

/** What people may add to the entry, as each format has it. */
const ADDED: [string, 'gemini' | 'codex' | 'continue', string, (text: string) => string, string][] = [
  [
    'JSON',
    'gemini',
    GEMINI,
    (text) => text.replace('"env": {}', '// mine\n"env": {"X": "y"}').replace('"timeout": 86400000', '"timeout": 5000'),
    '"trust": true',
  ],
  [
    'TOML',
    'codex',
    '.codex/config.toml',
    (text) => text.replace('env = {}', '# mine\nenv = { "X" = "y" }').replace('86400', '5000'),
    'default_tools_approval_mode = "approve"',
  ],
  [
    'YAML',
    'continue',
    '.continue/config.yaml',
    (text) => text.replace('env: {}', '# mine\n    env: {"X": "y"}\n    timeout: 5000'),
    'name: parley',
  ],
]

test.each(ADDED)(
  '[C220] what others wrote into the entry stays when it is written again: %s',
  async (_, client, file, add, sign) => {
    const { read, write, isThere, connect } = await openHome([client])
    await connect()
    const mine = add(read(file))
    write(file, mine)
    expect((await connect()).stdout).toContain('is connected already')
    expect(read(file)).toBe(mine)
    expect(await connect(['--surface', 'agent'])).toMatchObject({ code: 0, stderr: '' })
    const after = read(file)
    for (const words of ['mine', '"y"', '5000', 'agent']) expect(after).toContain(words)
    await connect()
    expect(read(file).replaceAll(/\s+/g, ' ')).toBe(mine.replaceAll(/\s+/g, ' '))
    await connect(['--allow'])
    for (const words of ['mine', '"y"', '5000', sign]) expect(read(file)).toContain(words)
    await connect(['--remove'])
    expect(isThere(file)).toBe(false)
  },
)

test('[C220] what goes with a program is not left in the entry of an address', async () => {
  const { read, write, connect } = await openHome(['codex'])
  await connect()
  const mine = read('.codex/config.toml').replace('env = {}', 'env = { X = "y" }')
  write('.codex/config.toml', mine)
  const { code, stderr } = await connect(['--http', '--port', '4117'])
  expect(code).toBe(1)
  expect(stderr).toContain('has "env" in its entry "parley" from somebody else')
  expect(read('.codex/config.toml')).toBe(mine)
})

/** Entries that are not Parley's own, although they start it or lead to it. */
const BY_HAND = [
  { command: 'node', args: ARGS },
  { command: process.execPath, args: ARGS, env: {} },
  { httpUrl: 'http://localhost:4117/mcp' },
]

test.each(BY_HAND)(
  '[C221] an entry that somebody wrote by hand is neither replaced nor taken out: %j',
  async (entry) => {
    const { read, write, connect } = await openHome(['gemini', 'codex'])
    const text = JSON.stringify({ mcpServers: { parley: entry } })
    write(GEMINI, text)
    for (const words of [[], ['--remove']]) {
      const { code, stdout, stderr } = await connect(words)
      expect(code).toBe(1)
      expect(stderr).toMatch(
        /^Gemini CLI: .*settings\.json has an entry "parley" that parley connect did not write, .*\n$/,
      )
      expect(stdout).toContain('Codex: ')
      expect(read(GEMINI)).toBe(text)
    }
  },
)

test('[C221] an entry that is Parley’s no longer, as somebody lets it start something else, stays', async () => {
  const { read, write, isThere, connect } = await openHome(['gemini'])
  await connect()
  const mine = read(GEMINI).replace(executable, '/my/parley.js')
  write(GEMINI, mine)
  for (const words of [[], ['--surface', 'agent'], ['--remove']]) expect((await connect(words)).code).toBe(1)
  expect(read(GEMINI)).toBe(mine)
  expect(isThere(`${GEMINI}.by-parley`)).toBe(false)
})

test('[C222] what somebody allowed stays, and only what was added is taken out', async () => {
  const { read, write, connect } = await openHome(['claude', 'opencode', 'copilot'])
  write('.git/HEAD', '')
  const allowed = '{"permissions":{"allow":["mcp__parley"]}}'
  const permission = '{"permission":{"parley_*":"allow"}}'
  write(CLAUDE, allowed)
  write(OPENCODE, permission)
  await connect(['--allow'])
  expect(read('.copilot/permissions-config.json')).toContain('tool_approvals')
  await connect(['--remove'])
  expect(read(CLAUDE)).toBe(allowed)
  expect(read(OPENCODE)).toBe(permission)
  write(CLAUDE, '{}')
  await connect(['claude', '--allow'])
  write(CLAUDE, read(CLAUDE).replace('"mcp__parley"', '"mcp__parley", "Bash(ls)"'))
  await connect(['claude', '--remove'])
  expect(JSON.parse(read(CLAUDE))).toEqual({ permissions: { allow: ['Bash(ls)'] } })
})

test('[C222] what somebody decided otherwise is not overruled', async () => {
  const { read, write, connect } = await openHome(['opencode'])
  const text = '{"permission":{"parley_*":"ask"}}'
  write(OPENCODE, text)
  expect((await connect(['--allow'])).stderr).toContain('has "parley_*" set to something else')
  expect(read(OPENCODE)).toBe(text)
})

test('[C221] a note that is damaged makes nothing Parley’s', async () => {
  const { read, write, connect } = await openHome(['gemini'])
  await connect()
  const note = `${GEMINI}.by-parley`
  expect(JSON.parse(read(note))).toMatchObject({ format: 1, isMade: true })
  write(note, '{"format":1,')
  expect((await connect(['--remove'])).code).toBe(1)
  expect(read(GEMINI)).toContain(executable)
})
