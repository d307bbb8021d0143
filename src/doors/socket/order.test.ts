import { chown, mkdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '../../../test/support/hub.ts'
import { listenAsHub } from '../../../test/support/lines/scripted-hub.ts'
import { connectToHub } from './connect.ts'
import { giveOrder } from './order.ts'
import { shortFolder, socketPlaces } from './place.ts'

test('[C73] an order is answered by the hub that runs', async () => {
  const data = await temporaryFolder()
  const hub = await listenAsHub(data)
  const answer = giveOrder(data, 'status')
  const end = await hub.socket()
  expect(await end.next()).toEqual({ order: 'status' })
  end.say({ beat: true })
  end.say({ status: { pid: 1 } })
  expect(await answer).toEqual({ status: { pid: 1 } })
})

test('[C73] who tells a hub to stop hears when it has ended', async () => {
  const data = await temporaryFolder()
  const hub = await listenAsHub(data)
  let ended = false
  const answer = giveOrder(data, 'stop').finally(() => {
    ended = true
  })
  const end = await hub.socket()
  expect(await end.next()).toEqual({ order: 'stop' })
  end.say({ stopping: true })
  // Another order on the same socket goes all the way meanwhile.
  const status = giveOrder(data, 'status')
  const other = await hub.socket()
  other.say({ refused: 'It is stopping' })
  expect(await status).toEqual({ refused: 'It is stopping' })
  expect(ended).toBe(false)
  end.socket.destroy()
  expect(await answer).toEqual({ stopping: true })
})

test('[C73] where no hub runs nothing comes back, whatever one left behind', async () => {
  const data = await temporaryFolder()
  expect(await giveOrder(join(data, 'none'), 'status')).toBeUndefined()
  expect(await giveOrder(data, 'status')).toBeUndefined()
  await writeFile(join(data, 'hub.sock'), 'no socket')
  expect(await giveOrder(data, 'status')).toBeUndefined()
})

test('[C73] a hub that ends before it answers is none', async () => {
  const data = await temporaryFolder()
  const hub = await listenAsHub(data)
  const answer = giveOrder(data, 'status')
  const end = await hub.socket()
  end.socket.destroy()
  expect(await answer).toBeUndefined()
})

test('[C73] a hub that accepts and says nothing is named', async () => {
  const data = await temporaryFolder()
  await writeFile(join(data, 'last-hub.json'), '{"pid":4711,"port":1}')
  await listenAsHub(data)
  await expect(giveOrder(data, 'status', 1)).rejects.toThrow(
    'The hub (process 4711) does not answer; end that process to go on',
  )
})

test('[C73] a folder whose path is too long for a socket has it in a short one', async () => {
  const short = await temporaryFolder()
  vi.stubEnv('XDG_RUNTIME_DIR', short)
  onTestFinished(() => void vi.unstubAllEnvs())
  const data = join(await temporaryFolder(), 'x'.repeat(120))
  await mkdir(data)
  await mkdir(shortFolder(), { mode: 0o700 })
  const server = createServer((socket) => socket.end('{"status":{}}\n')).listen(socketPlaces(data)[0])
  onTestFinished(() => void server.close())
  expect(await giveOrder(data, 'status')).toEqual({ status: {} })
})

test.skipIf(process.getuid?.() !== 0)('[C73] [S140] a socket of somebody else is no hub of ours', async () => {
  const short = await temporaryFolder()
  vi.stubEnv('XDG_RUNTIME_DIR', short)
  onTestFinished(() => void vi.unstubAllEnvs())
  const data = await temporaryFolder()
  await mkdir(shortFolder(), { mode: 0o700 })
  const path = socketPlaces(data).at(-1) ?? ''
  const server = createServer().listen(path)
  onTestFinished(() => void server.close())
  await chown(path, 12345, 12345)
  expect(await connectToHub(data)).toBeUndefined()
  await chown(path, 0, 0)
  const socket = await connectToHub(data)
  expect(socket).toBeDefined()
  socket?.destroy()
  await chown(shortFolder(), 12345, 12345)
  expect(await connectToHub(data)).toBeUndefined()
  await rm(path)
  expect(await connectToHub(data)).toBeUndefined()
})
