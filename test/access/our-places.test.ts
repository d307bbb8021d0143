import { once } from 'node:events'
import { chownSync, mkdirSync, renameSync } from 'node:fs'
import { chmod, chown, mkdir, readdir, readFile, rename, symlink } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { connectToHub } from '../../src/doors/socket/connect.ts'
import { shortFolder, socketPlaces } from '../../src/doors/socket/place.ts'
import { ParleyError } from '../../src/protocol/errors.ts'
import { executable } from '../support/agent.ts'
import { eventually } from '../support/eventually.ts'
import { canBeOthers, letOthersPass, OWNER, runAs, STRANGER } from '../support/faults/other-user.ts'
import { temporaryFolder } from '../support/hub.ts'

const LONG = 'a-long-name-of-a-folder'.repeat(6)
/** Listens wherever somebody might look for a hub, and says so. */
const SQUAT = `
const { mkdirSync, chmodSync } = require('node:fs')
const [folder, ...names] = process.argv.slice(1)
mkdirSync(folder)
chmodSync(folder, 0o777)
for (const name of names) require('node:net').createServer(() => console.log('visited')).listen(folder + '/' + name, () => chmodSync(folder + '/' + name, 0o777))
console.log('squats')
`

/** A folder in which everybody may make files, as /tmp is, and one of the owner's whose path is too long for a socket. */
async function twoUsers() {
  const shared = await temporaryFolder()
  await chmod(shared, 0o1777)
  await letOthersPass()
  const home = await temporaryFolder()
  await chown(home, OWNER, OWNER)
  const data = join(home, LONG)
  await mkdir(data, { mode: 0o700 })
  await chown(data, OWNER, OWNER)
  const env = { TMPDIR: shared, XDG_RUNTIME_DIR: '' }
  const parley = (...args: string[]) => runAs(OWNER, [executable, ...args, '--data', data], env)
  return { shared, home, data, parley }
}

test.runIf(canBeOthers)(
  '[S140] a short folder that is another user’s is never used: the hub has a place of its own, and all find it',
  async () => {
    const { shared, data, parley } = await twoUsers()
    const name = socketPlaces(data).at(-1)?.split('/').at(-1) ?? ''
    const squatter = runAs(STRANGER, [
      '-e',
      SQUAT,
      join(shared, `parley-${OWNER}`),
      name,
      name.replace('.sock', '.new'),
    ])
    await squatter.said(/squats/)
    expect((await parley('status').ended).told).toContain('No hub is running for')
    const hub = parley('serve', '--port', '0')
    const url = await hub.said(/^http:\/\/localhost:\d+$/m)
    expect((await parley('status').ended).told).toContain(`A hub runs at ${url}`)
    const { socket } = JSON.parse(await readFile(join(data, 'last-hub.json'), 'utf8')) as { socket: string }
    expect(dirname(dirname(socket))).toBe(shared)
    const line = parley('stdio', '--keep', '1')
    await line.said(new RegExp(`^${url}$`, 'm'))
    await parley('stop').ended
    await hub.ended
    // Nor does the next one need another.
    const next = parley('serve', '--port', '0')
    await next.said(/^http:\/\/localhost:\d+$/m)
    expect((await readdir(shared)).length).toBe(2)
    squatter.kill()
    expect((await squatter.ended).told).toBe('squats\n')
  },
)

test.runIf(canBeOthers)(
  '[S140] a hub whose short folder was taken away and by another user goes elsewhere',
  async () => {
    const { shared, data, parley } = await twoUsers()
    const url = await parley('serve', '--port', '0').said(/^http:\/\/localhost:\d+$/m)
    const place = join(shared, `parley-${OWNER}`)
    const [name = ''] = await readdir(place)
    const beside = join(shared, 'squat')
    const squatter = runAs(STRANGER, ['-e', SQUAT, beside, name])
    await squatter.said(/squats/)
    // In one go: the hub makes its folder anew as soon as it misses it.
    renameSync(place, join(shared, 'away'))
    renameSync(beside, place)
    await eventually(async () => {
      const { socket } = JSON.parse(await readFile(join(data, 'last-hub.json'), 'utf8')) as { socket: string }
      expect(dirname(socket)).not.toBe(place)
    })
    expect((await parley('status').ended).told).toContain(`A hub runs at ${url}`)
    squatter.kill()
    expect((await squatter.ended).told).toBe('squats\n')
  },
)

async function socketInShortFolder() {
  vi.stubEnv('XDG_RUNTIME_DIR', await temporaryFolder())
  onTestFinished(() => void vi.unstubAllEnvs())
  const data = join(await temporaryFolder(), LONG)
  await mkdir(data)
  await mkdir(shortFolder(), { mode: 0o700 })
  const path = socketPlaces(data)[0] ?? ''
  const server = createServer().listen(path)
  onTestFinished(() => void server.close())
  return { data, path }
}

test.runIf(canBeOthers)(
  '[S141] who was reached is looked at again: a socket that is another’s by then is left',
  async () => {
    const { data, path } = await socketInShortFolder()
    const found = await connectToHub(data)
    expect(found).toBeDefined()
    found?.destroy()
    const connecting = connectToHub(data)
    chownSync(path, STRANGER, STRANGER)
    expect(await connecting).toBeUndefined()
    chownSync(path, 0, 0)
    const again = connectToHub(data)
    renameSync(shortFolder(), `${shortFolder()}.old`)
    mkdirSync(shortFolder(), { mode: 0o700 })
    expect(await again).toBeUndefined()
  },
)

test.runIf(canBeOthers)(
  '[S142] each folder on the way to the data folder is the user’s or root’s, and only they write in it',
  async () => {
    const { shared, home } = await twoUsers()
    const between = join(home, 'between')
    const data = join(between, 'data')
    await mkdir(data, { recursive: true, mode: 0o700 })
    for (const folder of [between, data]) await chown(folder, OWNER, OWNER)
    const status = async (folder: string) => {
      const { told, stderr } = await runAs(OWNER, [executable, 'status', '--data', folder]).ended
      return told + stderr
    }
    const foreign = (folder: string) => `${folder} belongs to another user; choose another folder with --data\n`
    const written = (folder: string) =>
      `Others can write in ${folder}: take that from them with chmod go-w, or choose another folder with --data\n`
    expect(await status(data)).toContain('No hub is running for')
    await chown(between, STRANGER, OWNER)
    await chmod(between, 0o750)
    expect(await status(data)).toBe(foreign(between))
    await chown(between, OWNER, OWNER)
    await chmod(between, 0o770)
    expect(await status(data)).toBe(written(between))
    await chmod(between, 0o1770)
    expect(await status(data)).toContain('No hub is running for')
    await chown(between, 0, OWNER)
    await chmod(between, 0o750)
    expect(await status(data)).toContain('No hub is running for')
    // By a name that another user gave it, or can give to something else.
    await symlink(data, join(shared, 'link'))
    expect(await status(join(shared, 'link'))).toContain('No hub is running for')
    await chown(home, OWNER, OWNER)
    await rename(join(shared, 'link'), join(home, 'link'))
    await symlink(join(home, 'link'), join(shared, 'other'))
    await chmod(shared, 0o777)
    expect(await status(join(shared, 'other'))).toBe(written(shared))
    // Nothing is made there, either.
    expect(await status(join(shared, 'new'))).toBe(written(shared))
    await runAs(OWNER, [executable, 'serve', '--port', '0', '--data', join(shared, 'new')]).ended
    expect(await readdir(shared)).toEqual(['other'])
  },
)

test.runIf(canBeOthers)(
  '[S141] a socket in the data folder that only another user may open is named in one sentence',
  async () => {
    await letOthersPass()
    const data = await temporaryFolder()
    await chown(data, OWNER, OWNER)
    const path = join(data, 'hub.sock')
    const server = createServer()
    onTestFinished(() => void server.close())
    await once(server.listen(path), 'listening')
    await chmod(path, 0o600)
    const { told, stderr } = await runAs(OWNER, [executable, 'status', '--data', data]).ended
    expect(told + stderr).toBe(`${new ParleyError('foreign_socket', { path }).message}\n`)
  },
)

test.runIf(canBeOthers)(
  '[S194] no token is made or read, and nothing protected, where others could change it',
  async () => {
    const { home } = await twoUsers()
    const data = join(home, 'data')
    await mkdir(data, { mode: 0o700 })
    await chown(data, OWNER, OWNER)
    await chmod(home, 0o770)
    for (const command of ['token create x --role agent', 'token list', 'token revoke x', 'protect', 'protect --off']) {
      const { stderr } = await runAs(OWNER, [executable, ...command.split(' '), '--data', data]).ended
      expect(stderr).toContain(`Others can write in ${home}: `)
    }
    expect(await readdir(data)).toEqual([])
  },
)
