import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { executable } from '../support/agent.ts'
import { openHome } from '../support/cli/home-with-agents.ts'
import { freePort, startParley } from '../support/process.ts'

const NEXT = 'Agents have Parley from their next start; parley open shows the page\n'

test('[C280] started by a link, as npm installs it, --print shows what would be written, and nothing once it is', async () => {
  const { home, read, connect } = await openHome(['codex'])
  const linked = (...words: string[]) =>
    startParley(['connect', ...words], { HOME: home, PATH: join(home, 'bin') }, join(home, 'bin/parley')).ended
  symlinkSync(executable, join(home, 'bin/parley'))
  const { stdout } = await linked('--print')
  await connect()
  const added = stdout.split('\n').filter((line) => /^\+(?!\+\+ )/.test(line))
  expect(added.map((line) => `${line.slice(1)}\n`).join('')).toBe(read('.codex/config.toml'))
  expect(await linked('--print')).toMatchObject({ code: 0, stdout: '' })
})

test('[C281] what is next is said at the end, files by their places at home, and what is to be done in a project there alone', async () => {
  const { home, write, connect } = await openHome(['claude', 'codex', 'gemini'])
  write('website/.git/HEAD', '')
  expect((await connect(['--allow', '--instructions'])).stdout).toBe(
    `Claude Code: changes ~/.claude.json, ~/.claude/settings.json and ~/.claude/rules/parley.md
Claude Code: connected
Codex: changes ~/.codex/config.toml and ~/.codex/AGENTS.md
Codex: connected
Gemini CLI: changes ~/.gemini/settings.json and ~/.gemini/GEMINI.md
Gemini CLI: connected
${NEXT}`,
  )
  expect((await connect(['gemini', '--allow', '--instructions'])).stdout).toBe('Gemini CLI: is connected already\n')
  const env = { HOME: home, PATH: join(home, 'bin') }
  const inProject = startParley(['connect', 'claude', '--project'], env, executable, join(home, 'website'))
  expect((await inProject.ended).stdout).toBe(
    `Claude Code: changes ~/website/.mcp.json\nClaude Code: connected\n  In a project, Claude Code asks once whether it may use .mcp.json\n${NEXT}`,
  )
  expect((await connect(['codex', '--remove'])).stdout).toBe(
    'Codex: taken out of ~/.codex/config.toml and ~/.codex/AGENTS.md\n',
  )
})

test('[C281] what is taken out is told, and of agents that are neither here nor connected nothing', async () => {
  const { home, write, connect } = await openHome(['codex', 'kimi', 'gemini'])
  write('website/.git/HEAD', '')
  const env = { HOME: home, PATH: join(home, 'bin') }
  const inProject = (...words: string[]) =>
    startParley(['connect', '--project', ...words], env, executable, join(home, 'website')).ended
  await inProject('codex', 'kimi', '--instructions')
  expect((await inProject('--remove')).stdout).toBe(
    `Codex: taken out of ~/website/.codex/config.toml
Gemini CLI: was not connected
Kimi Code: taken out of ~/website/.kimi-code/mcp.json and ~/website/AGENTS.md
`,
  )
  expect((await connect(['qwen', '--remove'])).stdout).toBe('Qwen Code: was not connected\n')
})

test('[C282] where no hub runs, that agents with --http start none is said by connect, its check and the doctor', async () => {
  const { home, write, connect } = await openHome(['codex'])
  const port = `${await freePort()}`
  const folder = ['--data', join(home, 'data')]
  const data = [...folder, '--port', port]
  const missing = `Keep a hub running at http://localhost:${port}, as agents start none over HTTP: run parley service install, or parley serve in a terminal\n`
  const { stdout } = await connect(['--http', ...data])
  expect(stdout).toBe(`Codex: changes ~/.codex/config.toml\nCodex: connected\n${NEXT}${missing}`)
  expect(await connect(['--check', ...data])).toMatchObject({ code: 1, stderr: `Codex: ${missing}` })
  const env = { HOME: home, PATH: join(home, 'bin') }
  const doctor = () => startParley(['doctor', ...data], env).ended
  expect(await doctor()).toMatchObject({ code: 1, stderr: `Codex: ${missing}` })
  const hub = startParley(['serve', ...data], env)
  await hub.url
  onTestFinished(async () => void (await startParley(['stop', ...folder], env).ended))
  expect((await connect(['--check', ...data])).stdout).toBe('Codex: works, with 1 tool\n')
  expect(await doctor()).toMatchObject({ code: 0, stderr: '' })
  expect((await connect(['--http', ...data])).stdout).not.toContain('No hub')
  write('.codex/config.toml', `[mcp_servers.parley]\nurl = "http://localhost:${port}/mcp?session=website"\n`)
  expect((await doctor()).stdout).toContain('Codex: is connected\n')
  await startParley(['stop', ...folder]).ended
  await startParley(['open', ...data], { HOME: home, PATH: '' }).ended
  write('.codex/config.toml', '')
  expect((await connect(['--http', ...data])).stdout).toMatch(/^Keep a hub running at /m)
})

test.each([
  ['gemini', '.gemini/settings.json', 'trust = true'],
  ['codex', '.codex/config.toml', 'default_tools_approval_mode = "approve"'],
  ['opencode', '.config/opencode/opencode.json', '"parley_*": "allow"'],
] as const)(
  '[C283] what was allowed stays allowed when %s is connected again, until it is taken out',
  async (client, file, allowed) => {
    const { read, isThere, connect } = await openHome([client])
    await connect(['--allow'])
    const before = read(file)
    expect(before.replaceAll('"trust":', 'trust =')).toContain(allowed)
    expect((await connect()).stdout).toContain('is connected already')
    expect(read(file)).toBe(before)
    await connect(['--surface', 'agent'])
    expect(read(file).replaceAll('"trust":', 'trust =')).toContain(allowed)
    await connect(['--remove'])
    expect(isThere(file)).toBe(false)
  },
)
