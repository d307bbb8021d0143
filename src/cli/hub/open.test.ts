import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../test/support/hub.ts'
import { STATUS, startPeer } from '../../../test/support/hub-peer.ts'
import { openerCalled } from '../../../test/support/opener.ts'
import { startParley } from '../../../test/support/process.ts'
import { connect } from '../../../test/support/socket.ts'

const URL_LINE = `${STATUS.url}\n`

async function folderWithHub() {
  const data = await temporaryFolder()
  await startPeer(data, { answer: () => ({ status: STATUS }) })
  return data
}

test('[C86] open prints the address of the hub that runs, alone, and shows it in the browser', async () => {
  const data = await folderWithHub()
  const { path, started } = await openerCalled()
  const ended = startParley(['open', '--data', data], { PATH: path, DISPLAY: ':7' }).ended
  expect(await started()).toBe(URL_LINE)
  expect(await ended).toEqual({ code: 0, stdout: URL_LINE, stderr: '' })
})

test('[C86] open starts a hub where none runs, which status finds and stop ends', async () => {
  const env = { PARLEY_DATA: join(await temporaryFolder(), 'new') }
  onTestFinished(async () => void (await startParley(['stop'], env).ended))
  const { code, stdout } = await startParley(['open', '--port', '0', '--keep', '30'], env).ended
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^http:\/\/localhost:\d+\n$/)])
  const url = stdout.trim()
  expect(await (await fetch(`${url}/healthz`)).json()).toMatchObject({ name: 'parley' })
  expect((await startParley(['open'], env).ended).stdout).toBe(stdout)
  const status = await startParley(['status'], env).ended
  expect(status.stdout).toMatch(new RegExp(`^A hub runs at ${url}\n`))
  expect(status.stdout).toMatch(/^stays +at most 30 s more, unless somebody comes$/m)
  expect(await startParley(['stop'], env).ended).toMatchObject({ code: 0, stderr: '' })
  await expect(fetch(url)).rejects.toThrow('fetch failed')
  expect((await startParley(['status'], env).ended).code).toBe(1)
})

test('[C85] stop ends the hub of a terminal, too, in good order', async () => {
  const env = { PARLEY_DATA: await temporaryFolder() }
  const hub = startParley(['serve', '--port', '0'], env)
  const client = await connect(await hub.url)
  const status = await startParley(['status'], env).ended
  expect(status.stdout).toMatch(/^stays +until it is stopped$/m)
  expect(status.stdout).toMatch(/^pages +1 open$/m)
  expect((await startParley(['stop'], env).ended).code).toBe(0)
  expect((await client.closed).code).toBe(1001)
  expect((await hub.ended).code).toBe(0)
})

test.each([
  ['no display', {}],
  ['no program that opens pages', { DISPLAY: ':7', PATH: '/nowhere' }],
])('[C86] with %s the address is printed all the same', async (_, env) => {
  const data = await folderWithHub()
  expect(await startParley(['open', '--data', data], env).ended).toEqual({ code: 0, stdout: URL_LINE, stderr: '' })
})

test('[C87] where there are tokens, open prints a link to sign in, and starts no program with it', async () => {
  const data = await folderWithHub()
  await startParley(['token', 'create', 'ada', '--role', 'human', '--data', data]).ended
  const { path, started } = await openerCalled()
  const ended = startParley(['open', '--data', data], { PATH: path, DISPLAY: ':7' }).ended
  const page = join(data, 'open.html')
  expect(await started()).toBe(`${pathToFileURL(page)}\n`)
  const { code, stdout, stderr } = await ended
  expect([code, stdout]).toEqual([0, URL_LINE])
  expect(stderr).toMatch(
    /^Sign in as ada, once, within 10 minutes: http:\/\/localhost:4117\/sign-in\/parley_[\w-]{43}\n$/,
  )
  expect(await readFile(page, 'utf8')).toContain(stderr.trim().split(' ').at(-1))
})

test('[C86] a hub in memory cannot be opened by anybody else', async () => {
  expect(await startParley(['open', '--data', 'memory']).ended).toEqual({
    code: 2,
    stdout: '',
    stderr: 'This needs a data folder, and memory is none; a hub in memory is found by nobody else\n',
  })
})
