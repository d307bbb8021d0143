import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { giveOrder } from '../../src/doors/socket/order.ts'
import { openHubProcess } from '../../src/hub/hub-process.ts'
import { takeStartupLock } from '../../src/hub/startup-lock.ts'
import { startHubWithSocket, temporaryFolder } from '../support/hub.ts'
import { openerCalled } from '../support/opener.ts'
import { startParley } from '../support/process.ts'
import { connectPage } from '../support/socket.ts'
import { connectTo, said, untilMount } from '../support/upstream/gateway.ts'
import { follow, startProtected } from '../support/upstream/signed-in.ts'
import { program } from '../support/upstream/upstream.ts'

/** `parley mount`, and the address that it prints. */
function mount(data: string, act: string, words: string[] = [], env = {}) {
  const { child, ended } = startParley(['mount', act, '--data', data, ...words], env)
  let printed = ''
  child.stdout?.on('data', (chunk) => {
    printed += chunk
  })
  return { ended, address }

  async function address(): Promise<string> {
    while (!/^http\S+\n/m.test(printed)) await once(child.stdout as NodeJS.ReadableStream, 'data')
    return /^http\S+/m.exec(printed)?.[0] ?? ''
  }
}

async function folderWith(servers: object): Promise<string> {
  const data = await temporaryFolder()
  writeFileSync(join(data, 'mcp.json'), JSON.stringify({ mcpServers: servers }))
  writeFileSync(join(data, 'policy.jsonc'), '{"rules": [{"decision": "allow"}]}')
  return data
}

test('[C170] mount login prints the address, waits for the person and says when it is done; list says what is to do', async () => {
  const { far } = await startProtected()
  const data = await folderWith({ far: { url: far.url } })
  const { url, gateway } = await startHubWithSocket(data)
  await untilMount(gateway, 'far', ({ state }) => state === 'needs sign-in')
  const list = await mount(data, 'list').ended
  expect(list.stdout).toMatch(/\nfar +http +needs sign-in +0 +it needs sign-in: parley mount login far\n$/)
  const login = mount(data, 'login', ['far'])
  expect(await follow(await login.address())).toMatchObject({ status: 200 })
  expect(await login.ended).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^http\S+\nSigned in to far; it is mounted and has 3 tools\n$/),
    stderr: 'Sign in to far in a browser on this machine, within 10 minutes:\n',
  })
  expect(await said(await connectTo(url), 'far_hello')).toBe('Hello!')
  expect((await mount(data, 'list').ended).stdout).toMatch(/\nfar +http +ready +3\n$/)
})

test('[C171] mount login says in one sentence why it cannot be, or was not', async () => {
  const { far, oauth } = await startProtected()
  const own = { url: far.url, headers: { authorization: 'Bearer own-key' } }
  const data = await folderWith({ far: { url: far.url }, files: { command: process.execPath, args: [program] }, own })
  const { gateway } = await startHubWithSocket(data)
  const refused = async (name: string) => {
    const { code, stdout, stderr } = await mount(data, 'login', [name]).ended
    expect([code, stdout]).toEqual([1, ''])
    return stderr
  }
  expect(await refused('near')).toBe('Unknown mount "near"; known: far, files, own\n')
  expect(await refused('files')).toContain('Signing in to "files" is not possible: it is started by a command')
  expect(await refused('own')).toContain(
    'Signing in to "own" is not possible: its mount has an authorization header of its own',
  )
  oauth.manners.metadata = (all) => ({ ...all, registration_endpoint: undefined })
  expect(await refused('far')).toMatch(/The sign-in to "far" failed: .*registration/)
  oauth.manners.metadata = (all) => all
  oauth.manners.consent = 'deny'
  const denied = mount(data, 'login', ['far'])
  await follow(await denied.address())
  expect(await denied.ended).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The sign-in to "far" was refused'),
  })
  const taken = mount(data, 'login', ['far'])
  await taken.address()
  await gateway.remove('far')
  expect(await taken.ended).toMatchObject({ code: 1, stderr: expect.stringContaining('it was taken back') })
})

test('[C172] mount logout forgets it, by the hub that runs or in the folder', async () => {
  const { far } = await startProtected()
  const data = await folderWith({ far: { url: far.url } })
  const kept = () => JSON.parse(readFileSync(join(data, 'sign-ins.json'), 'utf8')).servers
  const { gateway, close } = await startHubWithSocket(data)
  for (const isRunning of [true, false]) {
    await follow(await gateway.signIns.begin('far'))
    expect(kept().far.tokens).toBeDefined()
    if (!isRunning) await close()
    expect(await mount(data, 'logout', ['far']).ended).toMatchObject({ code: 0, stdout: 'Signed out of far\n' })
    expect(kept()).toEqual({})
  }
  expect(await mount(data, 'logout', ['near']).ended).toMatchObject({
    code: 1,
    stderr: 'Unknown mount "near"; known: far\n',
  })
})

test('[C173] where no hub runs mount login starts one, opens the address, and nothing secret is in its log', async () => {
  const { far, oauth } = await startProtected()
  const data = await folderWith({ far: { url: far.url } })
  const opener = await openerCalled()
  const login = mount(data, 'login', ['far'], { PATH: opener.path, DISPLAY: ':0' })
  const opened = await opener.started()
  const address = await login.address()
  expect(readFileSync(new URL(opened.trim()), 'utf8')).toContain(address.replaceAll('&', '&amp;'))
  expect(await follow(address)).toMatchObject({ status: 200 })
  expect(await login.ended).toMatchObject({ code: 0, stdout: expect.stringContaining('Signed in to far') })
  const log = readFileSync(join(data, 'hub.log'), 'utf8')
  expect(oauth.secrets.filter((secret) => log.includes(secret))).toEqual([])
  await giveOrder(data, 'stop')
})

test('[C174] a hub that nobody needs stays for who may come back from signing in, and no longer', async () => {
  const { far } = await startProtected()
  const hub = await hubForOneSecond(await folderWith({ far: { url: far.url } }))
  // Somebody is there until it is begun, however long that takes.
  const page = await connectPage(hub.url)
  const address = await hub.gateway.signIns.begin('far')
  page.ws.close()
  await page.closed
  const other = await hubForOneSecond(await temporaryFolder())
  await other.ended
  expect(await follow(address)).toMatchObject({ status: 200 })
  await hub.ended
})

async function hubForOneSecond(data: string) {
  const startupLock = await takeStartupLock({ data, host: '127.0.0.1', ports: [0] })
  const hub = await openHubProcess({ startupLock, data, given: { log: 'error' }, keepSeconds: 1 })
  onTestFinished(() => hub.end('ending'))
  return hub
}
