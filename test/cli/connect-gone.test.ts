import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { executable } from '../support/agent.ts'
import { openHome } from '../support/cli/home-with-agents.ts'
import { startParley } from '../support/process.ts'

test('[C235] what is left of an agent that is gone is taken out, too', async () => {
  const { home, isThere, connect } = await openHome(['codex'])
  await connect()
  rmSync(join(home, 'bin/codex'))
  expect((await connect(['--remove'])).stdout).toMatch(/^Codex: taken out of \S+\n$/)
  expect(isThere('.codex/config.toml')).toBe(false)
  expect((await connect(['--remove'])).stderr).toContain('No agent was found here')
})

test('[C235] where a file with the other ending came meanwhile, it is taken out of the one it is in', async () => {
  const { write, read, connect } = await openHome(['opencode'])
  const file = '.config/opencode/opencode.jsonc'
  write(file, '{ // mine\n}\n')
  await connect(['--allow'])
  write(file.slice(0, -1), '{}')
  await connect(['--allow', '--surface', 'agent'])
  expect([read(file.slice(0, -1)), read(file).includes('"agent"')]).toEqual(['{}', true])
  await connect(['--remove'])
  expect(read(file)).toBe('{ // mine\n}\n')
})

test('[C211] neither a folder on the way of programs nor one that was left empty is an agent', async () => {
  const { home, connect } = await openHome([])
  mkdirSync(join(home, 'bin/amp'), { recursive: true })
  await connect(['cursor', 'vscode', 'claude-desktop', 'windsurf'])
  await connect(['--remove'])
  expect((await connect()).stderr).toContain('No agent was found here')
})

test('[C204] a port of one’s own is in the entry', async () => {
  const { read, connect } = await openHome(['codex'])
  await connect(['--port', '4321'])
  expect(read('.codex/config.toml')).toContain('"stdio", "--port", "4321"]')
})

test('[C214] a list without a line end is as it was, however often it was connected', async () => {
  const { write, read, connect } = await openHome(['continue'])
  const before = 'mcpServers:\n  - name: a\n    command: x'
  write('.continue/config.yaml', before)
  for (const words of [[], ['--http'], ['--remove']]) await connect(words)
  expect(read('.continue/config.yaml')).toBe(before)
})

test('[C217] an entry that holds what no client writes keeps the doctor from nothing', async () => {
  const { home, write, connect } = await openHome(['gemini'])
  for (const entry of [
    { command: 5, args: [executable] },
    { command: executable, args: [{}], env: null },
  ]) {
    write('.gemini/settings.json', JSON.stringify({ mcpServers: { parley: entry } }))
    const { stdout, stderr } = await startParley(['doctor', '--data', join(home, 'data')], { HOME: home }).ended
    expect([stdout, stderr]).toEqual([expect.stringContaining('Gemini CLI: is connected'), ''])
    expect((await connect(['gemini', '--check'])).stderr).toBe('Gemini CLI: is not connected\n')
  }
})
