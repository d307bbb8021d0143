import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '../../test/support/hub.ts'
import { openLink } from './link.ts'

const BEAT = '{"mcp":{"jsonrpc":"2.0","method":"beat"}}\n'

test('[C74] silence is counted in ticks since the hub was heard last, however long a tick took', async () => {
  const path = join(await temporaryFolder(), 'hub.sock')
  const server = createServer().listen(path)
  onTestFinished(() => void server.close())
  const [[hub], socket] = (await Promise.all([once(server, 'connection'), connected(path)])) as [[Socket], Socket]
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const silent = vi.fn()
  let heard = () => {}
  const link = openLink({
    socket,
    patience: { tickMs: 1000, ticks: 10 },
    welcome() {},
    mcp: () => heard(),
    refused() {},
    settled() {},
    joined() {},
    full() {},
    silent,
    lastWords: (act) => act(),
  })
  for (let hour = 1; hour < 4; hour++) {
    const beat = new Promise<void>((resolve) => {
      heard = resolve
    })
    hub.write(BEAT)
    await beat
    vi.setSystemTime(Date.now() + 3_600_000)
    vi.advanceTimersByTime(9000)
  }
  expect(silent).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1000)
  expect(silent).toHaveBeenCalledOnce()
  expect(await link.ended).toEqual({ heard: true, welcomed: false })
})

async function connected(path: string): Promise<Socket> {
  const socket = connect(path)
  await once(socket, 'connect')
  return socket
}
