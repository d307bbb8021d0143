import { chownSync, existsSync, mkdirSync, readdirSync, statSync, utimesSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { SOAK } from '../log/contract/place.ts'
import { openHome } from '../support/cli/home-with-agents.ts'
import { startParley } from '../support/process.ts'

const GEMINI = '.gemini/settings.json'
const CODEX = '.codex/config.toml'
const BEFORE = '{\n  "mine": 1\n}\n'

/** A home whose commands run with this done to the system first. */
async function openOddHome(clients: Parameters<typeof openHome>[0], odd: string) {
  const home = await openHome(clients)
  home.write('odd.cjs', `const fs = require('node:fs');${odd};require('node:module').syncBuiltinESMExports()`)
  const options = { NODE_OPTIONS: `--require=${join(home.home, 'odd.cjs')}` }
  const left = (file: string) => readdirSync(dirname(join(home.home, file))).sort()
  return { ...home, left, oddly: (words: string[] = [], env = {}) => home.connect(words, { ...options, ...env }) }
}

/** A process of it dies at the nth change of a file of the home folder. */
const DIES = `
  let left = Number(process.env.DIES_AT)
  for (const name of ['writeFileSync', 'renameSync', 'unlinkSync']) {
    const real = fs[name]
    fs[name] = (path, ...rest) => {
      if (String(path).includes('.gemini') && left-- === 0) process.kill(process.pid, 'SIGKILL')
      return real(path, ...rest)
    }
  }`

test('[C226] wherever it is killed, no file is broken, no key is lost, and the next one puts all right', async () => {
  const { write, read, left, connect, oddly } = await openOddHome(['gemini'], DIES)
  let points = 0
  // Without `PARLEY_SOAK` at every other change.
  for (; points < 40; points += SOAK > 1 ? 1 : 2) {
    write(GEMINI, BEFORE)
    const dies = { DIES_AT: String(points) }
    const connected = await oddly([], dies)
    expect(JSON.parse(read(GEMINI)), `connecting, ${points}`).toMatchObject({ mine: 1 })
    const removed = await oddly(['--remove'], dies)
    expect(JSON.parse(read(GEMINI)), `removing, ${points}`).toMatchObject({ mine: 1 })
    expect(await connect(['--remove'])).toMatchObject({ code: 0, stderr: '' })
    expect(read(GEMINI), `after ${points}`).toBe(BEFORE)
    expect(left(GEMINI), `after ${points}`).toEqual(['settings.json'])
    if (connected.code === 0 && removed.code === 0) break
  }
  expect(points).toBeGreaterThan(5)
  expect(points).toBeLessThan(40)
}, 180_000)

test('[C224] what a process that is gone left beside a file is swept, by the doctor, too', async () => {
  const { home, write, isThere, connect } = await openHome(['gemini'])
  const gone = startParley(['--version'])
  await gone.ended
  const halves = [`${GEMINI}.${gone.child.pid}.parley-new`, `${GEMINI}.by-parley.${gone.child.pid}.parley-new`]
  const kept = [
    `${GEMINI}.${process.pid}.parley-new`,
    `${GEMINI}.mine.parley-new`,
    `other.${gone.child.pid}.parley-new`,
  ]
  for (const file of [...halves, ...kept, `${GEMINI}.parley-lock`]) write(file, 'half')
  write(`${GEMINI}.parley-lock`, '')
  await connect(['gemini'])
  for (const file of [...halves, `${GEMINI}.parley-lock`]) expect(isThere(file), file).toBe(false)
  for (const file of halves) write(file, 'half')
  await startParley(['doctor', '--data', join(home, 'data')], { HOME: home, PATH: join(home, 'bin') }).ended
  for (const file of halves) expect(isThere(file), file).toBe(false)
  for (const file of kept) expect(isThere(file), file).toBe(true)
})

test('[C223] no token is written where others may read it', async () => {
  const { home, write, read, connect } = await openHome(['gemini', 'codex'])
  const data = join(home, 'data')
  await startParley(['protect', '--data', data]).ended
  const http = ['--http', '--port', '4117', '--data', data]
  write(GEMINI, BEFORE, 0o644)
  const told = await connect(http)
  expect(told.stderr).toBe(
    `Gemini CLI: ${join(home, GEMINI)} would hold a token, and others may read it; close it with chmod 600 ${join(home, GEMINI)}, and was left as it is\n`,
  )
  expect(read(GEMINI)).toBe(BEFORE)
  expect(read(CODEX)).toContain('Bearer ')
  expect(statSync(join(home, CODEX)).mode & 0o777).toBe(0o600)
  expect(read(`${CODEX}.by-parley`)).toContain('Bearer …')
  write(GEMINI, BEFORE, 0o600)
  expect(await connect(http)).toMatchObject({ code: 0, stderr: '' })
  write(GEMINI, BEFORE, 0o644)
  expect(await connect([])).toMatchObject({ code: 0, stderr: '' })
  expect(statSync(join(home, GEMINI)).mode & 0o777).toBe(0o644)
})

test('[C227] where modes cannot be set it is connected all the same', async () => {
  const odd = `
    process.umask(0o077)
    fs.chmodSync = () => { throw Object.assign(new Error('EPERM'), { code: 'EPERM', syscall: 'chmod' }) }`
  const { home, write, read, oddly } = await openOddHome(['gemini'], odd)
  write(GEMINI, BEFORE, 0o640)
  expect(await oddly()).toMatchObject({ code: 0, stderr: '' })
  expect(read(GEMINI)).toContain('parley')
  expect(statSync(join(home, GEMINI)).mode & 0o777).toBe(0o600)
})

test('[C231] where there is nothing to do nothing is written, also where nothing can be', async () => {
  const odd = `
    const readOnly = () => { throw Object.assign(new Error('EROFS'), { code: 'EROFS', syscall: 'open' }) }
    const real = fs.writeFileSync
    fs.writeFileSync = (path, ...rest) => (String(path).includes('.gemini') ? readOnly() : real(path, ...rest))`
  const { write, read, connect, oddly } = await openOddHome(['gemini'], odd)
  write(GEMINI, BEFORE)
  expect(await oddly(['--remove'])).toMatchObject({ code: 0, stdout: 'Gemini CLI: was not connected\n' })
  expect(await oddly()).toMatchObject({ code: 1, stderr: expect.stringContaining('cannot be written (EROFS)') })
  expect(read(GEMINI)).toBe(BEFORE)
  await connect()
  expect(await oddly()).toMatchObject({ code: 0, stdout: 'Gemini CLI: is connected already\n' })
})

test('[C228] a file that a program has half written is waited for', async () => {
  const odd = `
    const now = Date.now
    const file = process.env.HOME + '/${CODEX}'
    Date.now = () => (fs.existsSync(process.env.HOME + '/done') ? now() : fs.statSync(file).mtimeMs + 1)`
  const { home, write, read, isThere, oddly } = await openOddHome(['codex'], odd)
  write(CODEX, 'a = 1\n')
  const connecting = oddly()
  await expect.poll(() => isThere(`${CODEX}.parley-lock`), { timeout: 20_000 }).toBe(true)
  write(CODEX, 'a = 1\nb = 2\n')
  utimesSync(join(home, CODEX), 1, 1)
  write('done', '')
  expect(await connecting).toMatchObject({ code: 0, stderr: '' })
  expect(read(CODEX)).toMatch(/^a = 1\nb = 2\n\n\[mcp_servers.parley\]\n/)
})

test('[C229] those that connect and take out at once leave nothing half done', async () => {
  const { write, read, connect, left } = await openOddHome(['gemini', 'codex'], '')
  write(GEMINI, BEFORE)
  const all = [[], ['--remove'], ['--surface', 'agent'], ['--remove'], ['--allow']]
  for (const one of await Promise.all(all.map((words) => connect(words))))
    expect(one).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(read(GEMINI))).toMatchObject({ mine: 1 })
  await connect(['--remove'])
  expect(read(GEMINI)).toBe(BEFORE)
  expect(left(GEMINI)).toEqual(['settings.json'])
  expect(left(CODEX)).toEqual([])
})

/** When the file was read for the first time, another process takes Parley out. */
const TAKEN_OUT = `
  const real = fs.readFileSync
  fs.readFileSync = (path, ...rest) => {
    const read = real(path, ...rest)
    if (String(path).endsWith('settings.json') && fs.existsSync(path + '.by-parley')) {
      fs.unlinkSync(path + '.by-parley')
      fs.writeFileSync(path, ${JSON.stringify(BEFORE)})
    }
    return read
  }`

test('[C229] who looks while another one takes it out does not take it for the work of somebody', async () => {
  const { write, read, connect, oddly } = await openOddHome(['gemini'], TAKEN_OUT)
  write(GEMINI, BEFORE)
  for (const words of [['--remove', 'gemini'], []]) {
    await connect()
    expect(await oddly(words)).toMatchObject({ code: 0, stderr: '' })
  }
  expect(read(GEMINI)).toContain('parley')
})

test('[C230] without a home folder nothing is written anywhere', async () => {
  const { connect, left } = await openOddHome(['gemini'], '')
  const told = await connect([], { HOME: 'nowhere' })
  expect(told).toMatchObject({ code: 2, stdout: '' })
  expect(told.stderr).toContain('Set HOME to your home folder')
  expect(left('bin')).toEqual(['bin', 'odd.cjs'])
})

test.runIf(process.getuid?.() === 0)('[C208] a file of somebody else is left as it is', async () => {
  const { home, write, read, connect } = await openHome(['gemini'])
  write(GEMINI, BEFORE)
  chownSync(join(home, GEMINI), 12_345, 12_345)
  expect((await connect()).stderr).toContain('belongs to somebody else')
  expect(read(GEMINI)).toBe(BEFORE)
})

test.runIf(process.getuid?.() === 0)('[C208] in a folder of somebody else no file is made', async () => {
  const { home, isThere, connect } = await openHome(['codex'])
  mkdirSync(join(home, '.codex'))
  chownSync(join(home, '.codex'), 12_345, 12_345)
  expect((await connect()).stderr).toContain(`would be made in ${home}/.codex, which belongs to somebody else`)
  expect([isThere(CODEX), isThere(`${CODEX}.parley-lock`)]).toEqual([false, false])
})

test.runIf(existsSync('/proc/self'))(
  '[C274] below /proc, where no folder can be made, one sentence says so',
  async () => {
    const { home, connect } = await openHome(['codex'])
    const nowhere = '/proc/parley'
    expect(await connect(['--instructions'], { CODEX_HOME: nowhere })).toMatchObject({
      code: 1,
      stderr: `Codex: ${nowhere}/config.toml is in a folder that cannot be made (ENOENT), and was left as it is\n`,
    })
    const env = { HOME: home, XDG_CONFIG_HOME: nowhere }
    for (const words of [['token', 'create', 'a', '--role', 'human'], ['protect']])
      expect(await startParley([...words, '--data', nowhere], env).ended).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(`${nowhere}/tokens.json cannot be written`),
      })
    expect((await startParley(['service', 'install'], env).ended).stderr).toContain('parley.service cannot be written')
  },
)

test('[C208] a folder in the place of the note is told, and left', async () => {
  const { home, write, read, connect } = await openHome(['gemini'])
  write(GEMINI, BEFORE)
  mkdirSync(join(home, `${GEMINI}.by-parley`))
  expect((await connect()).stderr).toContain('cannot be noted beside it')
  expect(read(GEMINI)).toBe(BEFORE)
})
