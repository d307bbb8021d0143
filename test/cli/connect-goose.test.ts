import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { yamlMap } from '../../src/cli/connect/formats/yaml-map.ts'
import { executable } from '../support/agent.ts'
import { openHome } from '../support/cli/home-with-agents.ts'
import { startParley } from '../support/process.ts'

const FILE = '.config/goose/config.yaml'
const BEFORE = 'GOOSE_MODE: auto # mine\r\nextensions:\r\n  developer:\r\n    type: builtin\r\n    enabled: true\r\n'
const ENTRY = {
  enabled: true,
  name: 'parley',
  description: 'Talk with the person you work for',
  type: 'stdio',
  cmd: process.execPath,
  args: [executable, 'stdio'],
  envs: {},
  timeout: 86_400,
}

test('[C204] Goose, which is found by its folder, has Parley among its extensions, and its file is as it was then', async () => {
  const { home, write, read, connect } = await openHome([])
  expect((await connect()).stderr).toContain('No agent was found here')
  write(FILE, BEFORE)
  expect(await connect(['--instructions'])).toMatchObject({ code: 0, stderr: '' })
  expect(entryOf(read(FILE))).toEqual(ENTRY)
  expect(read('.config/goose/.goosehints')).toContain('parley:begin')
  expect((await connect(['--instructions'])).stdout).toBe('Goose: is connected already\n')
  expect((await connect(['--check', '--data', join(home, 'data')])).stdout).toBe('Goose: works, with 1 tool\n')
  await startParley(['stop'], { HOME: home }).ended
  await connect(['--http', '--port', '4117'])
  const { enabled, name, description, timeout } = ENTRY
  const address = { uri: 'http://localhost:4117/mcp', type: 'streamable_http' }
  expect(entryOf(read(FILE))).toEqual({ enabled, name, description, timeout, ...address })
  await connect(['--remove'])
  expect(read(FILE)).toBe(BEFORE)
})

test('[C206] what Goose adds to the entry when it writes its file goes with it, and nothing else', async () => {
  const { write, read, connect } = await openHome([])
  write(FILE, BEFORE)
  await connect()
  const written = read(FILE).replace('envs: {}', 'envs: {}\r\n    env_keys: []\r\n    bundled: null')
  write(FILE, `${written.replace(' # mine', '')}GOOSE_MODEL: m\r\n`)
  expect((await connect()).stdout).toContain('is connected already')
  await connect(['--remove'])
  expect(read(FILE)).toBe(`${BEFORE.replace(' # mine', '')}GOOSE_MODEL: m\r\n`)
})

test('[C209] the file of Goose is where its variable says', async () => {
  const { home, write, read, isThere, connect } = await openHome([])
  const moved = { GOOSE_PATH_ROOT: join(home, 'moved') }
  write('moved/config/config.yaml', BEFORE)
  await connect([], moved)
  expect(entryOf(read('moved/config/config.yaml'))).toEqual(ENTRY)
  expect(isThere(FILE)).toBe(false)
  rmSync(join(home, 'moved'), { recursive: true })
  expect((await connect([], moved)).stderr).toContain('No agent was found here')
})

function entryOf(text: string): unknown {
  return (yamlMap.read(text).extensions as Record<string, unknown>).parley
}
