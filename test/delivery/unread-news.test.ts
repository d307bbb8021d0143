import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { startHub } from '../support/hub.ts'

const LONG = 'x'.repeat(400_000)
const INBOX = 'ui://chat/inbox'
const INFO = { name: 'raw', version: '1' }
/** Far more than is kept for one that does not read, on its way in the system included. */
const MESSAGES = 100

test('[M106] over HTTP, a stream of news that its client does not read is cut, and can be opened again', async () => {
  const { url, view } = await startHub()
  const told = await newsOf(url)
  const stream = await told.open()
  stream.pause()
  const { closed, bytes } = readingOf(stream)
  for (let n = 0; n < MESSAGES; n++) await view.say('work', { text: `${n} ${LONG}` })
  stream.resume()
  await closed
  expect(bytes()).toBeLessThan((MESSAGES / 2) * LONG.length)
  const again = await told.open()
  const heard = hearing(again, 'Afterwards')
  await view.say('work', { text: 'Afterwards' })
  await heard
})

test('[M106] a client of the 2026 era that does not read what it listens to is cut, too', async () => {
  const { url, view } = await startHub()
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': INFO,
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const params = { notifications: { resourceSubscriptions: [INBOX] }, _meta }
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' }
  const stream = await answerTo(url, { id: 1, method: 'subscriptions/listen', params }, headers)
  await once(stream, 'data')
  stream.pause()
  const { closed, bytes } = readingOf(stream)
  for (let n = 0; n < MESSAGES; n++) await view.say('work', { text: `${n} ${LONG}` })
  stream.resume()
  await closed
  expect(bytes()).toBeLessThan((MESSAGES / 2) * LONG.length)
})

/** A client of the 2025 era that subscribed to the inbox. */
async function newsOf(url: string) {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: INFO }
  const opened = await answerTo(url, { id: 1, method: 'initialize', params })
  const session = { 'mcp-session-id': String(opened.headers['mcp-session-id']) }
  opened.resume()
  for (const said of [
    { method: 'notifications/initialized' },
    { id: 2, method: 'resources/subscribe', params: { uri: INBOX } },
  ])
    (await answerTo(url, said, session)).resume()
  return { open: () => answerTo(url, undefined, session) }
}

async function answerTo(url: string, message?: object, more: Record<string, string> = {}): Promise<IncomingMessage> {
  const method = message ? 'POST' : 'GET'
  const accept = message ? 'application/json, text/event-stream' : 'text/event-stream'
  const headers = { accept, 'content-type': 'application/json', ...more }
  const asking = request(`${url}/mcp/human`, { method, headers, agent: false })
  onTestFinished(() => void asking.destroy())
  asking.end(message && JSON.stringify({ jsonrpc: '2.0', ...message }))
  const [response] = (await once(asking, 'response')) as [IncomingMessage]
  if (response.statusCode !== 200 && response.statusCode !== 202) throw new Error(`It was ${response.statusCode}`)
  return response
}

/** Reads as soon as it may. */
function readingOf(stream: IncomingMessage) {
  let read = 0
  const { promise: closed, resolve } = Promise.withResolvers<void>()
  // That it breaks off is an error, too.
  stream.on('error', () => resolve())
  stream.on('close', resolve)
  stream.on('data', (chunk: Buffer) => {
    read += chunk.length
  })
  stream.pause()
  return { closed, bytes: () => read }
}

function hearing(stream: IncomingMessage, words: string): Promise<void> {
  return new Promise((resolve) => {
    let heard = ''
    stream.on('data', (chunk) => {
      heard += chunk
      if (heard.includes(words)) resolve()
    })
  })
}
