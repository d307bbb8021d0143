import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { startHubWithSocket, temporaryFolder } from '../support/hub.ts'
import { startParley } from '../support/process.ts'
import { said, untilMount } from '../support/upstream/gateway.ts'
import { connectByLine, everythingAt, folderWith, realServer } from '../support/upstream/real-servers.ts'
import { shelfProgram } from '../support/upstream/shelf-server.ts'

const ABORTED = { code: -32950 }
const DENIED = { code: -32951 }

/** The folder of an agent and the one that a server works in, each with a secret and a folder in it. */
async function twoFolders() {
  const home = await temporaryFolder()
  const [own, other] = [join(home, 'own'), join(home, 'other')]
  for (const folder of [own, other]) {
    mkdirSync(join(folder, 'sub'), { recursive: true })
    writeFileSync(join(folder, 'secret.txt'), `secret of ${folder}`)
  }
  return { own, other }
}

function shelf(cwd?: string) {
  return { command: process.execPath, args: [shelfProgram], cwd }
}

async function agentIn(own: string, servers: Record<string, unknown>, rules: object[]) {
  const data = await folderWith(servers, rules)
  const { gateway } = await startHubWithSocket(data)
  for (const name of Object.keys(servers)) await untilMount(gateway, name, ({ state }) => state === 'ready')
  return { data, client: await connectByLine(data, 'modern', own) }
}

test('[G150] a relative path is judged where the server opens it, not where the agent works', async () => {
  const { own, other } = await twoFolders()
  const deny = { arguments: { '*': { path: `${other}/**` } }, decision: 'deny_abort' }
  const { client } = await agentIn(own, { shelf: shelf(other) }, [deny])
  const call = (name: string, args: object) => client.callTool({ name: `shelf_${name}`, arguments: { ...args } })
  for (const path of ['secret.txt', './sub/../secret.txt', join(own, '..', 'other', 'secret.txt')])
    await expect(call('read', { path })).rejects.toMatchObject(ABORTED)
  await expect(call('read_many', { paths: [join(own, 'secret.txt'), 'secret.txt'] })).rejects.toMatchObject(ABORTED)
  expect(await said(client, 'shelf_read', { path: join('..', 'own', 'secret.txt') })).toBe(`secret of ${own}`)
})

test('[G150] what is allowed where the agent works lets no relative path into the folder of the server', async () => {
  const { own, other } = await twoFolders()
  const rules = [{ arguments: { path: { path: './**' } }, decision: 'allow' }, { decision: 'deny_continue' }]
  const { client, data } = await agentIn(own, { there: shelf(other), here: shelf(own), somewhere: shelf() }, rules)
  const write = (server: string, path: string) =>
    client.callTool({ name: `${server}_write`, arguments: { path } }).then(
      () => 'written',
      ({ code }) => code,
    )
  expect(await write('there', 'new.txt')).toBe(-32951)
  expect(await write('there', '../own/new.txt')).toBe('written')
  expect(await write('here', 'sub/new.txt')).toBe('written')
  // Where the hub works, without a folder of its own.
  expect(await write('somewhere', 'new.txt')).toBe(-32951)
  expect(await write('somewhere', join(own, 'third.txt'))).toBe('written')
  expect(existsSync(join(other, 'new.txt'))).toBe(false)
  expect(readFileSync(join(own, 'new.txt'), 'utf8')).toBe('written')
  // Whoever tries it out is told the same, here as an agent that works where the hub does.
  const tried = (server: string) =>
    startParley(['policy', 'test', server, 'write', '{"path": "new.txt"}', '--data', data]).ended
  expect((await tried('somewhere')).stdout).toMatch(/^allow/)
  expect((await tried('there')).stdout).toMatch(/^deny_continue/)
})

test('[G150] a folder that a mount names may be where its server opens relative paths', async () => {
  const { own, other } = await twoFolders()
  const deny = { arguments: { path: { path: `${other}/**` } }, decision: 'deny_abort' }
  const files = { ...realServer('filesystem', [other]), cwd: own }
  const { client } = await agentIn(own, { files }, [deny])
  const read = client.callTool({ name: 'files_read_text_file', arguments: { path: 'secret.txt' } })
  await expect(read).rejects.toMatchObject(ABORTED)
})

test('[G280] nor does one that its mount names from the home, which the server opens all the same', async () => {
  const { own, other } = await twoFolders()
  const deny = { arguments: { '*': { path: `${other}/**` } }, decision: 'deny_abort' }
  const files = { ...realServer('filesystem', ['~/other']), cwd: own, env: { HOME: dirname(other) } }
  const { client } = await agentIn(own, { files }, [deny])
  const read = client.callTool({ name: 'files_read_text_file', arguments: { path: 'secret.txt' } })
  await expect(read).rejects.toMatchObject(ABORTED)
})

test('[G151] where nobody knows what a server opens, a relative path fits no rule that allows and each that denies', async () => {
  const { own, other } = await twoFolders()
  const web = await everythingAt('streamableHttp')
  const rules = [
    { arguments: { denied: { path: `${other}/**` } }, decision: 'deny_abort' },
    { arguments: { message: { path: './**' } }, decision: 'allow' },
    { decision: 'deny_continue' },
  ]
  const { client } = await agentIn(own, { web }, rules)
  const echo = (args: object) => client.callTool({ name: 'web_echo', arguments: { message: 'x', ...args } })
  await expect(echo({ message: 'sub/new.txt' })).rejects.toMatchObject(DENIED)
  await expect(echo({ denied: 'anything.txt' })).rejects.toMatchObject(ABORTED)
  expect(await echo({ message: join(own, 'new.txt'), denied: own })).toMatchObject({ content: [{ type: 'text' }] })
})
