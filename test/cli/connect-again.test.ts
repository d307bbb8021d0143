import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { executable } from '../support/agent.ts'
import { openHome } from '../support/cli/home-with-agents.ts'
import { startParley } from '../support/process.ts'

const GEMINI = '.gemini/settings.json'
const COPY = `${GEMINI}.before-parley`

test('[C214] what was connected again in another way is gone after all, with its copy', async () => {
  const { isThere, connect } = await openHome(['gemini', 'codex', 'opencode'])
  await connect()
  await connect(['--allow'])
  expect(isThere(COPY)).toBe(false)
  await connect(['--surface', 'agent', '--instructions'])
  await connect(['--remove'])
  const made = [
    GEMINI,
    COPY,
    '.codex/config.toml',
    '.codex/config.toml.before-parley',
    '.config/opencode/opencode.json',
  ]
  for (const file of made) expect(isThere(file), file).toBe(false)
})

test('[C214] a copy is that of the last text without Parley', async () => {
  const { write, read, isThere, connect } = await openHome(['gemini'])
  write(GEMINI, '{"a":1}')
  await connect()
  const later = '{"mcpServers": {\t}}'
  write(GEMINI, later)
  await connect()
  expect(read(COPY)).toBe(later)
  await connect(['--remove'])
  expect(read(GEMINI)).toBe(later)
  write(COPY, later)
  await connect(['--remove'])
  expect(isThere(COPY)).toBe(false)
})

const COPIES: [string, (home: Awaited<ReturnType<typeof openHome>>) => void][] = [
  ['broken', ({ write }) => write(COPY, '{{')],
  ['no UTF-8', ({ write }) => write(COPY, Buffer.from([0xff]))],
  ['with Parley in it', ({ write, read }) => write(COPY, read(GEMINI).replace('86400000', '1'))],
]

test.each(COPIES)('[C214] a copy that is %s keeps nobody from taking Parley out', async (_, spoil) => {
  const home = await openHome(['gemini'])
  home.write(GEMINI, '{\n  "a": 1\n}\n')
  await home.connect()
  spoil(home)
  expect(await home.connect(['--remove'])).toMatchObject({ code: 0, stderr: '' })
  expect(home.read(GEMINI)).toBe('{\n  "a": 1\n}\n')
  expect(home.isThere(COPY)).toBe(false)
})

test('[C214] a folder in the place of the copy is told, and left', async () => {
  const { home, write, read, isThere, connect } = await openHome(['gemini'])
  write(GEMINI, '{}')
  mkdirSync(join(home, COPY))
  expect((await connect()).stderr).toContain('cannot be kept beside its copy')
  expect(read(GEMINI)).toBe('{}')
  expect((await connect(['--remove'])).code).toBe(0)
  expect(isThere(COPY)).toBe(true)
})

test('[C218] a file of somebody with a name like that of a half stays, and two that connect at once are both right', async () => {
  const { write, read, isThere, connect } = await openHome(['gemini', 'codex', 'opencode'])
  write(GEMINI, '{}')
  write(`${GEMINI}.new`, 'mine')
  const both = await Promise.all([connect(), connect(), connect()])
  for (const one of both) expect(one).toMatchObject({ code: 0, stderr: '' })
  expect(read(`${GEMINI}.new`)).toBe('mine')
  await Promise.all([connect(['--remove']), connect(['--remove'])])
  expect(read(GEMINI)).toBe('{}')
  expect(isThere('.codex/config.toml')).toBe(false)
})

test('[C205] what was allowed in one project is taken out from another one, too', async () => {
  const { home, write, isThere } = await openHome(['copilot'])
  const file = '.copilot/permissions-config.json'
  const connectIn = (project: string, ...words: string[]) => {
    write(`${project}/.git/HEAD`, '')
    const env = { HOME: home, PATH: join(home, 'bin') }
    return startParley(['connect', ...words], env, executable, join(home, project)).ended
  }
  for (const project of ['a', 'b: {"c"}']) await connectIn(project, '--allow')
  expect(isThere(file)).toBe(true)
  expect(await connectIn('c', '--remove')).toMatchObject({ code: 0, stderr: '' })
  expect([isThere(file), isThere(`${file}.by-parley`)]).toEqual([false, false])
})

test('[C206] where it was never connected, what somebody allowed stays', async () => {
  const { write, read, connect } = await openHome(['opencode'])
  const text = '{"permission":{"parley_*":"allow"}}'
  write('.config/opencode/opencode.json', text)
  expect((await connect(['--remove'])).stdout).toContain('was not connected')
  expect(read('.config/opencode/opencode.json')).toBe(text)
})
