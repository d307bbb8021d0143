import { expect, test } from 'vitest'
import { environment, executable } from '../support/agent.ts'
import { temporaryFolder } from '../support/hub.ts'
import { lineAndHub, startLine } from '../support/lines/line-process.ts'
import { openPage } from '../support/page.ts'

const MIB = 1024 * 1024
const INFO = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } }
const INBOX = 'ui://chat/inbox'
const LONG = 'x'.repeat(500_000)
const MESSAGES = 24

test('[M77] a subscriber that does not read is told once that something changed', async () => {
  const data = await temporaryFolder()
  const args = ['stdio', '--surface', 'chat']
  const line = startLine({ program: executable, args, env: environment({ PARLEY_DATA: data }) })
  line.request(1, 'initialize', INFO)
  await line.next()
  line.notify('notifications/initialized')
  line.request(2, 'resources/subscribe', { uri: INBOX })
  await line.next()
  const [url] = /^http:\S+$/m.exec(await line.told(/^http:\S+$/m)) ?? ['']
  const page = openPage(url)
  await page.started
  const before = line.stdout().length
  line.child.kill('SIGSTOP')
  for (let n = 0; n < MESSAGES; n++) await page.post('work', `${n} ${LONG}`)
  line.child.kill('SIGCONT')
  line.request(3, 'tools/call', { name: 'chat_read_since', arguments: { limit: 1 } })
  const said: Awaited<ReturnType<typeof line.next>>[] = []
  const isFolded = ({ params }: { params?: object }) => JSON.stringify(params) === JSON.stringify({ uri: INBOX })
  // In whichever order.
  while (!said.some(({ id }) => id === 3) || !said.some(isFolded)) said.push(await line.next())
  const told = said.filter(({ id }) => id !== 3)
  expect(told.every(({ method }) => method === 'notifications/resources/updated')).toBe(true)
  // Each message would come twice, with the batch and beside it.
  expect(line.stdout().length - before).toBeLessThan(MESSAGES * LONG.length)
  await page.post('work', 'Afterwards')
  for (let isTold = false; !isTold; ) isTold = JSON.stringify(await line.next()).includes('"Afterwards"')
})

test('[M78] a line whose client does not read stops reading from the hub, and goes on when it does', async () => {
  const { line, hub } = await lineAndHub()
  const end = await hub.connection()
  line.child.stdout.pause()
  const text = 'x'.repeat(MIB)
  for (let n = 0; n < 32; n++)
    end.say({ mcp: { jsonrpc: '2.0', method: 'notifications/message', params: { n, text } } })
  // What the client says is still heard, and each time there was time to read more.
  for (let n = 0; n < 100; n++) {
    line.request(n, 'ping')
    await end.next()
  }
  expect(end.socket.writableLength).toBeGreaterThan(24 * MIB)
  line.child.stdout.resume()
  for (let n = 0; n < 32; n++) expect((await line.next()).params.n).toBe(n)
})

test('[M78] a hub that does not read stops the line from reading its client', async () => {
  const { line, hub } = await lineAndHub()
  const end = await hub.connection()
  end.socket.pause()
  const text = 'x'.repeat(MIB)
  for (let n = 0; n < 32; n++) line.request(n, 'ping', { text })
  // Meanwhile its hub is heard, so often that all could have been read.
  for (let n = 0; n < 1000; n++) {
    end.say({ mcp: { jsonrpc: '2.0', method: 'notifications/message', params: { n } } })
    await line.next()
  }
  expect(line.child.stdin.writableLength).toBeGreaterThan(24 * MIB)
  end.socket.resume()
  for (let n = 0; n < 32; n++) expect((await end.next()).mcp.id).toBe(n)
})
