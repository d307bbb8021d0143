import { once } from 'node:events'
import { rename, writeFile } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { endianness } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../test/support/hub.ts'
import { createSocketUsers, type Ends, type ListenAddress } from './socket-user.ts'

const LINUX = process.platform === 'linux'
const HEAD = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n'
const ENDS: Ends = { remoteAddress: '127.0.0.1', remotePort: 0xabcd, localAddress: '127.0.0.1', localPort: 4117 }
const LOCALHOST = endianness() === 'LE' ? '0100007F' : '7F000001'

/** A line of a table, as Linux writes it. */
function line({ uid = 1234, inode = 77, state = '01', from = `${LOCALHOST}:ABCD`, to = `${LOCALHOST}:1015` } = {}) {
  return ` 12: ${from} ${to} ${state} 00000000:00000000 00:00000000 00000000 ${uid}        0 ${inode} 1 0000 20 4 0 10 -1\n`
}

async function tableWith(...lines: string[]) {
  const folder = await temporaryFolder()
  const tables = [join(folder, 'tcp'), join(folder, 'tcp6')] as const
  await writeFile(tables[0], HEAD + lines.join(''))
  return { tables, ...createSocketUsers({ tables }) }
}

test('[S35] the user stands beside the end of the other program, and nowhere else', async () => {
  const own = line({ uid: 1, from: `${LOCALHOST}:1015`, to: `${LOCALHOST}:ABCD` })
  const others = [line({ uid: 2, from: `${LOCALHOST}:ABCE` }), line({ uid: 3, to: `${LOCALHOST}:1016` })]
  const { userOf } = await tableWith(own, ...others, line())
  expect(await Promise.all([ENDS, ENDS, ENDS].map(userOf))).toEqual([1234, 1234, 1234])
  expect(await userOf({ ...ENDS, remoteAddress: '127.0.0.2' })).toBeUndefined()
  expect(await userOf({ ...ENDS, remoteAddress: undefined })).toBeUndefined()
})

test('[S36] what its program has closed is listed as of root, and is of nobody', async () => {
  const { userOf } = await tableWith(line({ uid: 0, inode: 0, state: '06' }), line({ uid: 0, inode: 0, state: '05' }))
  expect(await userOf(ENDS)).toBeUndefined()
})

test('[S36] one that a changing table left out is found by looking again', async () => {
  const { tables, userOf } = await tableWith()
  await writeFile(`${tables[0]}.new`, HEAD + line())
  const user = userOf(ENDS)
  await rename(`${tables[0]}.new`, tables[0])
  expect(await user).toBe(1234)
})

test('[S36] a table that cannot be read tells of nobody, and one that cannot be opened now is an error', async () => {
  const { userOf, listenerAt } = createSocketUsers({ tables: ['/nowhere/tcp', '/nowhere/tcp6'] })
  expect([await userOf(ENDS), await listenerAt({ address: '127.0.0.1', port: 4117 })]).toEqual([undefined, undefined])
  const broken = createSocketUsers({ tables: [await temporaryFolder(), '/nowhere/tcp6'] })
  await expect(broken.userOf(ENDS)).rejects.toThrow('EISDIR')
})

test.runIf(LINUX).each(['127.0.0.1', '::1', '::ffff:127.0.0.1'])(
  '[S35] a crowd that comes by %s is known',
  async (address) => {
    const server = createServer()
    onTestFinished(() => void server.close())
    const sockets: Socket[] = []
    server.on('connection', (socket) => sockets.push(socket))
    await once(server.listen(0, address === '::1' ? '::1' : '127.0.0.1'), 'listening')
    const place = server.address() as ListenAddress
    const { port } = place
    for (let n = 0; n < 200; n++) {
      const socket = connect(port, address)
      onTestFinished(() => void socket.destroy())
    }
    while (sockets.length < 200) await once(server, 'connection')
    onTestFinished(() => sockets.forEach((socket) => void socket.destroy()))
    const { userOf, listenerAt } = createSocketUsers()
    const users = await Promise.all(sockets.map(userOf))
    expect(new Set(users)).toEqual(new Set([process.geteuid?.()]))
    expect(await listenerAt(place)).toBe(process.geteuid?.())
  },
)
