import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'
import { VERSION } from '../../src/protocol/version.ts'
import { executable } from '../support/agent.ts'
import { openHome } from '../support/cli/home-with-agents.ts'
import { canBeOthers, letOthersPass, OWNER, runAs } from '../support/faults/other-user.ts'
import { temporaryFolder } from '../support/hub.ts'
import { listenAsHub } from '../support/lines/scripted-hub.ts'
import { startParley } from '../support/process.ts'

test('[C213] a doctor names what is wrong, and how to mend it', async () => {
  const { home, write, read } = await openHome(['codex', 'gemini'])
  const data = join(home, 'data')
  const doctor = () => startParley(['doctor', '--data', data], { HOME: home, PATH: join(home, 'bin') }).ended
  const moved = join(home, 'moved/bin/parley.js')
  write('moved/bin/parley.js', `process.argv[1] = __filename; require(${JSON.stringify(executable)})`)
  await startParley(['connect', 'codex', '--data', data], { HOME: home, PATH: join(home, 'bin') }, moved).ended
  const fine = await doctor()
  expect(fine).toMatchObject({ code: 0, stderr: '' })
  expect(fine.stdout).toContain(
    'Codex: is connected\nGemini CLI: is not connected; see parley connect gemini\nNothing is wrong\n',
  )
  rmSync(moved)
  write('.kimi-code/mcp.json', JSON.stringify({ mcpServers: { parley: { command: '/gone/bin/parley.js' } } }))
  await startParley(['token', 'create', 'ada', '--role', 'human', '--data', data]).ended
  const tokens = JSON.parse(read('data/tokens.json'))
  write(
    'data/tokens.json',
    JSON.stringify(tokens).replace(
      /"created_at":"([^"]+)"/,
      '"created_at":"$1","expires_at":"2020-01-01T00:00:00.000Z"',
    ),
  )
  chmodSync(home, 0o777)
  const wrong = await doctor()
  chmodSync(home, 0o700)
  expect(wrong.code).toBe(1)
  expect(wrong.stderr).toContain(
    `Codex: The entry points to ${moved}, which is gone; write it again with parley connect codex\n`,
  )
  expect(wrong.stderr).toContain(
    'Kimi Code: The entry points to /gone/bin/parley.js, which is gone; who wrote it by hand has to change it\n',
  )
  expect(wrong.stderr).toContain(
    'Tokens: that of ada has expired; make another with parley token create ada --role human',
  )
  expect(wrong.stderr).toMatch(/^Folder: /m)
})

test.skipIf(!canBeOthers)('[C213] a data folder that cannot be made, or not be written, is named', async () => {
  await letOthersPass()
  const home = await temporaryFolder()
  chmodSync(home, 0o755)
  const doctor = (data: string) => runAs(OWNER, [executable, 'doctor', '--data', data], { HOME: home }).ended
  expect((await doctor(join(home, 'data'))).stderr).toContain(`Folder: ${home}/data cannot be made (EACCES`)
  const closed = join(home, 'closed')
  mkdirSync(closed, { mode: 0o500 })
  chownSync(closed, OWNER, OWNER)
  expect((await doctor(closed)).stderr).toContain(`Folder: ${closed} cannot be written (EACCES`)
})

test('[C213] a hub of another version is named', async () => {
  const data = await temporaryFolder()
  const hub = await listenAsHub(data)
  const told = startParley(['doctor', '--data', data], { HOME: data, PATH: '' }).ended
  const end = await hub.socket()
  end.say({ status: { pid: 7, version: '0.0.1', url: 'http://localhost:1' } })
  expect((await told).stderr).toBe(
    `Hub: The hub (process 7) is version 0.0.1, and this is ${VERSION}; parley stop lets the next agent start this one\n`,
  )
})

test('[C217] one thing that cannot be read keeps no other from being named, and what a shell finds is not gone', async () => {
  const { home, write } = await openHome(['codex', 'gemini', 'kimi'])
  write('data/tokens.json', '{')
  chmodSync(join(home, 'data'), 0o700)
  write('.gemini/settings.json', `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`)
  const args = ['--no-warnings', executable, 'stdio']
  write('.kimi-code/mcp.json', JSON.stringify({ mcpServers: { parley: { command: 'node', args } } }))
  const env = { HOME: home, PATH: join(home, 'bin') }
  const told = await startParley(['doctor', '--data', join(home, 'data')], env).ended
  expect(told.code).toBe(1)
  expect(told.stderr).toMatch(
    /^Tokens: .*is damaged.*\nGemini CLI: .*\/settings\.json is nested too deeply, and was left as it is\n$/,
  )
  expect(told.stdout).toContain('Kimi Code: is connected\n')
})

test.each(['folder', 'pipe', 'list'])(
  '[C260] a %s called package.json above a program hinders nobody',
  async (kind) => {
    const { home, write, connect } = await openHome(['pi', 'gemini'])
    if (kind === 'folder') mkdirSync(join(home, 'package.json'))
    else if (kind === 'pipe') spawnSync('mkfifo', [join(home, 'package.json')])
    else write('package.json', '{"version": [1]}')
    expect(await connect()).toMatchObject({ code: 0, stderr: '' })
    const data = join(home, 'data')
    const doctor = await startParley(['doctor', '--data', data], { HOME: home, PATH: join(home, 'bin') }).ended
    expect(doctor).toMatchObject({ code: 0, stderr: '' })
    expect(doctor.stdout).toContain('Gemini CLI: is connected\n')
  },
)

test('[C260] a program is looked for in no folder that depends on where one is', async () => {
  const { connect } = await openHome(['gemini'])
  expect((await connect([], { PATH: `bin${delimiter}./bin` })).stderr).toContain('No agent was found here')
})

test('[C261] in a folder that was removed one sentence says so', async () => {
  const gone = await temporaryFolder()
  for (const command of ['connect', 'doctor']) {
    const words = `mkdir gone && cd gone && rmdir ../gone && exec ${process.execPath} ${executable} ${command}`
    const { status, stderr } = spawnSync('sh', ['-c', words], { cwd: gone, encoding: 'utf8', env: { HOME: gone } })
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringMatching(/^This folder was removed; go to another one/),
    })
  }
})
