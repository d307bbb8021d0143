import { once } from 'node:events'
import { mkdirSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openTokens } from '../../src/doors/http/access/open-tokens.ts'
import { executable } from '../support/agent.ts'
import { openHome } from '../support/cli/home-with-agents.ts'
import { startParley } from '../support/process.ts'

/** No program listens there. */
const NOBODYS = '1'
const CODEX = '.codex/config.toml'

async function openProtectedHome(clients: Parameters<typeof openHome>[0]) {
  const home = await openHome(clients)
  const data = join(home.home, 'data')
  await startParley(['protect', '--data', data]).ended
  return { ...home, http, remove, valid, secretIn, inProject }

  function http(...words: string[]) {
    return home.connect([...words, '--http', '--port', NOBODYS, '--data', data])
  }

  function remove(...words: string[]) {
    return home.connect([...words, '--remove', '--data', data])
  }

  function inProject(words: string[]) {
    const project = join(home.home, 'project')
    mkdirSync(project, { recursive: true })
    const env = { HOME: home.home, PATH: join(home.home, 'bin') }
    return startParley(['connect', ...words, '--project', '--port', NOBODYS, '--data', data], env, executable, project)
      .ended
  }

  /** The names of the tokens that count. */
  function valid(): string[] {
    const all = openTokens({ data }).list()
    return all.filter(({ revoked_at }) => revoked_at === undefined).map(({ name }) => name)
  }

  function secretIn(file: string): string {
    return /(?<=Bearer )[\w-]+/.exec(home.read(file))?.[0] ?? ''
  }
}

test('[C215] where nothing can be written, no token is made', async () => {
  const { write, http, valid } = await openProtectedHome(['codex', 'claude'])
  write(CODEX, '[mcp_servers.parley]\ncommand = "own"\n')
  write('.claude.json', '{"mcpServers":{"parley":{"command":"own"}}}')
  expect((await http()).stderr.match(/parley connect did not write/g)).toHaveLength(2)
  expect(valid()).toEqual([])
})

test('[C215] the entries of a person and of a project have a token each', async () => {
  const { http, remove, valid, secretIn, inProject } = await openProtectedHome(['codex'])
  await http()
  await inProject(['codex', '--http'])
  const own = secretIn(CODEX)
  expect(valid()).toEqual(['connect-codex', expect.stringMatching(/^connect-codex-[0-9a-f]{8}$/)])
  expect(secretIn(`project/${CODEX}`)).not.toBe(own)
  await inProject(['codex', '--remove'])
  expect(valid()).toEqual(['connect-codex'])
  expect((await http()).stdout).toContain('is connected already')
  await remove()
  expect(valid()).toEqual([])
})

test('[C215] a token that no longer counts is replaced, and one that no entry shows no longer counts', async () => {
  const { home, connect, http, valid, secretIn, read, write } = await openProtectedHome(['codex'])
  await http()
  const first = secretIn(CODEX)
  write(CODEX, read(CODEX).replace(first, 'parley_other'))
  await http()
  expect(secretIn(CODEX)).not.toMatch(/^parley_other$/)
  await connect(['--data', join(home, 'data')])
  expect(read(CODEX)).not.toContain('Bearer')
  expect(valid()).toEqual([])
})

test('[C215] of a token of another data folder it is said how to end it', async () => {
  const { home, http, connect } = await openProtectedHome(['codex'])
  await http()
  const other = join(home, 'other')
  const said = `is none of ${other}; if it is of another data folder, it still counts there:\n  parley token revoke connect-codex --data FOLDER\n`
  expect((await connect(['--data', other])).stdout).toContain(said)
  await http()
  await startParley(['protect', '--data', other]).ended
  expect((await connect(['--http', '--port', NOBODYS, '--data', other])).stdout).toContain(said)
  expect((await connect(['--remove', '--data', other])).stdout).not.toContain('is none of')
})

test('[C240] no token is put where another program has the port of the hub', async () => {
  const { home, connect, valid, isThere, http, read, write } = await openProtectedHome(['codex'])
  const other = createServer().listen(0, 'localhost')
  onTestFinished(() => void other.close())
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const asked = ['--http', '--port', String(port), '--data', join(home, 'data')]
  for (const words of [asked, [...asked, '--print']])
    expect((await connect(words)).stderr).toBe(
      `Codex: Start the hub of ${home}/data first, with parley serve: another program has port ${port} and would get the token\n`,
    )
  expect([isThere(CODEX), valid()]).toEqual([false, []])
  await http()
  const doctor = () => startParley(['doctor', '--data', join(home, 'data')], { HOME: home, PATH: '' }).ended
  expect((await doctor()).stderr).toMatch(/^Codex: Keep a hub running at \S+, .*\n$/)
  write(CODEX, read(CODEX).replace(`localhost:${NOBODYS}`, `localhost:${port}`))
  expect((await doctor()).stderr).toBe(
    `Codex: The entry leads to http://localhost:${port}/mcp, where the hub of ${home}/data is not; who wrote it by hand has to change it\n`,
  )
})

test('[C215] clients that share a file share its token', async () => {
  const { inProject, valid } = await openProtectedHome([])
  await inProject(['claude', 'copilot', 'pi-0', '--http'])
  expect(valid()).toHaveLength(1)
  await inProject(['copilot', '--remove'])
  expect(valid()).toEqual([])
})

test('[C215] what would change is shown without the token', async () => {
  const { http, remove, secretIn } = await openProtectedHome(['codex'])
  await http()
  const secret = secretIn(CODEX)
  const shown = [await http('--surface', 'agent', '--print'), await remove('--print')]
  for (const { stdout } of shown) {
    expect(stdout).toContain('Bearer …')
    expect(stdout).not.toContain(secret)
  }
})

/** A connect that is overtaken by a second one where it would write its token, unless that one waits for the lock of the tokens. */
const OVERTAKEN = `
  const fs = require('node:fs')
  const { spawn } = require('node:child_process')
  const said = process.env.HOME + '/said'
  const real = fs.writeFileSync
  let isFirst = process.env.SECOND === undefined
  const say = () => real(said, '')
  if (!isFirst) process.on('exit', say)
  fs.writeFileSync = (path, ...rest) => {
    if (isFirst && String(path).endsWith('config.toml.parley-lock')) {
      isFirst = false
      spawn(process.execPath, process.argv.slice(1), { env: { ...process.env, SECOND: '1' }, stdio: 'ignore' })
      while (!fs.existsSync(said)) continue
    }
    try {
      return real(path, ...rest)
    } catch (error) {
      if (!isFirst && String(path).endsWith('tokens.json.parley-lock')) say()
      throw error
    }
  }
  require('node:module').syncBuiltinESMExports()`

test('[C270] of two that connect at once, neither leaves a token in the file that no longer counts', async () => {
  const { home, connect, write, valid, secretIn } = await openProtectedHome(['codex'])
  write('overtaken.cjs', OVERTAKEN)
  const options = { NODE_OPTIONS: `--require=${join(home, 'overtaken.cjs')}` }
  const data = join(home, 'data')
  expect(await connect(['--http', '--port', NOBODYS, '--data', data], options)).toMatchObject({ code: 0, stderr: '' })
  expect(openTokens({ data }).ofToken(secretIn(CODEX))).toMatchObject({ name: 'connect-codex' })
  expect(valid()).toEqual(['connect-codex'])
})

test('[C271] the token of an agent that is gone with its files is revoked, too', async () => {
  const { home, http, remove, valid } = await openProtectedHome(['codex'])
  await http()
  for (const part of ['bin/codex', '.codex']) rmSync(join(home, part), { recursive: true })
  expect((await remove()).stdout).toBe('Codex: was not connected any more; its token is revoked\n')
  expect(valid()).toEqual([])
  expect((await remove()).stderr).toContain('No agent was found here')
})
