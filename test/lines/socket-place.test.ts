import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { listenOnSocket } from '../../src/doors/socket/listen.ts'
import { shortFolder, socketPlaces } from '../../src/doors/socket/place.ts'
import { agentOverStdio } from '../support/agent.ts'
import { eventually } from '../support/eventually.ts'
import { temporaryFolder } from '../support/hub.ts'
import { hubOf } from '../support/hub-of.ts'
import { openPage, waiting } from '../support/page.ts'
import { startParley } from '../support/process.ts'

/** Two agents find the same hub. */
async function expectWorking(data: string) {
  const agents = [await start('one'), await start('two')]
  const [url, other] = await Promise.all(agents.map((agent) => agent.url))
  expect(other).toBe(url)
  const page = openPage(url ?? '')
  for (const agent of agents) {
    const { reply, question } = await waiting(agent, page, `Deploy, ${agent.pid}?`)
    await page.answer(question, 'Yes')
    expect(await reply).toEqual({ reply: 'Yes' })
  }
  return { page, agents }

  function start(name: string) {
    return agentOverStdio({ env: { PARLEY_DATA: data, PARLEY_SESSION: name } })
  }
}

test('[C53] where the path is too long for a socket it is in a short folder of the user, and gone with the hub', async () => {
  const data = join(await temporaryFolder(), ...Array.from({ length: 12 }, () => 'a-long-name'))
  const { page, agents } = await expectWorking(data)
  expect(existsSync(join(data, 'hub.sock'))).toBe(false)
  const [place = ''] = socketPlaces(data)
  expect(place.startsWith(`${shortFolder()}/`)).toBe(true)
  expect(lstatSync(place).isSocket()).toBe(true)
  expect([lstatSync(place).mode & 0o777, lstatSync(shortFolder()).mode & 0o777]).toEqual([0o600, 0o700])
  // Nor does the next one need another.
  process.kill(hubOf(data).pid, 'SIGKILL')
  await page.until(() => page.resumed.length === 2)
  expect(lstatSync(place).isSocket()).toBe(true)
  const { ended } = hubOf(data)
  page.leave()
  for (const { client } of agents) await client.close()
  await ended()
  expect(existsSync(place)).toBe(false)
})

test.each(['file', 'socket'])('[C53] a %s that was left in its place is taken away by the next hub', async (what) => {
  const data = await temporaryFolder()
  const place = join(data, 'hub.sock')
  if (what === 'file') writeFileSync(place, 'no socket')
  else await leaveSocket(place)
  await expectWorking(data)
  const socket = connect(place)
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
})

test('[C53] where there can be no socket in the folder, it is in a short folder of the user', async () => {
  const data = await temporaryFolder()
  mkdirSync(join(data, 'hub.sock'))
  await expectWorking(data)
  expect(lstatSync(socketPlaces(data)[1] ?? '').isSocket()).toBe(true)
})

test('[C160] a hub whose socket is in a short folder is found by who has another temporary folder', async () => {
  const data = join(await temporaryFolder(), ...Array.from({ length: 12 }, () => 'a-long-name'))
  const env = async () => ({ PARLEY_DATA: data, TMPDIR: await temporaryFolder() })
  const one = await agentOverStdio({ env: { ...(await env()), PARLEY_SESSION: 'one' } })
  const url = await one.url
  const two = await agentOverStdio({ env: { ...(await env()), PARLEY_SESSION: 'two' } })
  expect(await two.url).toBe(url)
  expect(await startParley(['status'], await env()).ended).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`A hub runs at ${url}`),
  })
  const long = join(await temporaryFolder(), 'a-very-long-name-of-a-temporary-folder', 'and-another-one-in-it')
  mkdirSync(long, { recursive: true })
  expect(await startParley(['status'], { PARLEY_DATA: data, TMPDIR: long }).ended).toMatchObject({ code: 0 })
  const three = await agentOverStdio({ env: { PARLEY_DATA: data, TMPDIR: long, PARLEY_SESSION: 'three' } })
  expect(await three.url).toBe(url)
  // What a copy of the folder tells is of another one.
  const copy = join(await temporaryFolder(), ...Array.from({ length: 12 }, () => 'a-long-copy'))
  mkdirSync(copy, { recursive: true, mode: 0o700 })
  copyFileSync(join(data, 'last-hub.json'), join(copy, 'last-hub.json'))
  expect(await startParley(['status', '--data', copy], await env()).ended).toMatchObject({ code: 1 })
})

test('[C161] a socket that was removed is made again, and the hub is found', async () => {
  const data = await temporaryFolder()
  const { page, agents } = await expectWorking(data)
  const place = join(data, 'hub.sock')
  const [agent] = agents
  rmSync(place)
  await eventually(() => expect(lstatSync(place).isSocket()).toBe(true))
  const third = await agentOverStdio({ env: { PARLEY_DATA: data, PARLEY_SESSION: 'three' } })
  expect(await third.url).toBe(await agent?.url)
  // Who was connected before goes on.
  const { reply, question } = await waiting(agent as (typeof agents)[0], page, 'Still there?')
  await page.answer(question, 'Yes')
  expect(await reply).toEqual({ reply: 'Yes' })
})

test.each([[['hub.lock', 'hub.sock']], [['hub.lock']]])(
  '[S120] a hub whose %j were removed makes them again: it is found, and no other starts',
  async (names) => {
    const data = await temporaryFolder()
    const agent = await agentOverStdio({ env: { PARLEY_DATA: data, PARLEY_SESSION: 'one' } })
    const url = await agent.url
    for (const name of names) rmSync(join(data, name))
    await eventually(() => expect(names.filter((name) => !existsSync(join(data, name)))).toEqual([]))
    expect(await startParley(['status'], { PARLEY_DATA: data }).ended).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`A hub runs at ${url}`),
    })
    expect(await startParley(['serve', '--port', '0'], { PARLEY_DATA: data }).ended).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`A hub for ${data} is already running`),
    })
    const other = await agentOverStdio({ env: { PARLEY_DATA: data, PARLEY_SESSION: 'two' } })
    expect(await other.url).toBe(url)
    // Who was connected before goes on.
    const page = openPage(url ?? '')
    const { reply, question } = await waiting(agent, page, 'Still there?')
    await page.answer(question, 'Yes')
    expect(await reply).toEqual({ reply: 'Yes' })
  },
)

test.each([
  ['damaged', () => '{"pid":'],
  ["another process, and another program's port", (port: number) => JSON.stringify({ pid: process.pid, port })],
])('[C33] what the last hub left is as good as none (%s)', async (_, left) => {
  const stranger = createServer()
  onTestFinished(() => void stranger.close())
  await once(stranger.listen(0, '127.0.0.1'), 'listening')
  const data = await temporaryFolder()
  writeFileSync(join(data, 'last-hub.json'), left((stranger.address() as AddressInfo).port))
  await expectWorking(data)
})

test('[C53] there is no socket for a folder that is gone, and one sentence says so', async () => {
  const data = join(await temporaryFolder(), 'gone')
  const listening = { connected() {}, isOurs: () => true, moved() {} }
  await expect(listenOnSocket(data, listening)).rejects.toThrow(
    `The socket for ${data} cannot be made (the folder is gone); choose another folder with --data`,
  )
})

/** As a process does that is killed: nobody listens on it any more. */
async function leaveSocket(place: string) {
  const script = `require('node:net').createServer().listen(${JSON.stringify(place)}, () => process.kill(process.pid, 'SIGKILL'))`
  await once(spawn(process.execPath, ['-e', script], { stdio: 'ignore' }), 'exit')
}
