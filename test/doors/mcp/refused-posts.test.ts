import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, onTestFinished, test } from 'vitest'
import type { View } from '../../../src/chat/view.ts'
import { openMcpEndpoints } from '../../../src/doors/mcp/mcp-endpoints.ts'
import { PINNED } from '../../../src/doors/mcp/resources/subscriber.ts'
import { INBOX } from '../../../src/protocol/frames/inbox.ts'
import type { Principal } from '../../../src/protocol/principal.ts'
import type { Era } from '../../support/agent.ts'
import { openTestChat } from '../../support/chat.ts'
import { fetchFrom } from '../../support/mcp/fetch-from.ts'
import { ADA, SUBSCRIBERS } from '../../support/mcp/surfaces.ts'

const MIB = 1024 * 1024
const MANY = 50
const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const URL_OF_HUMAN = 'http://localhost/mcp/human'
const ASKING = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

test('[M33] a first request that is refused leaves nothing behind', async () => {
  const { fetch, listeners, connect } = await pinned()
  const before = listeners()
  for (let n = 0; n < MANY; n++) expect((await fetch(URL_OF_HUMAN, post(ASKING))).status).toBe(400)
  for (const method of ['GET', 'DELETE', 'PUT'])
    expect((await fetch(URL_OF_HUMAN, { method, headers: { accept: 'text/event-stream' } })).ok).toBe(false)
  // A session that is opened and closed at once may be gone before it knows what it has to tell.
  for (let n = 0; n < MANY; n++) {
    const { transport } = await connect('legacy')
    await transport.terminateSession()
  }
  await new Promise(setImmediate)
  expect(listeners()).toBe(before)
})

test('[M33] a server that is made for one request follows nothing', async () => {
  const { listeners, connect } = await pinned()
  const { client } = await connect('modern')
  await client.listTools()
  // The first request of this era brings the one listener that all its subscribers share.
  const before = listeners()
  for (let n = 0; n < MANY; n++) {
    await client.readResource({ uri: INBOX })
    await (await client.listen({ resourceSubscriptions: [INBOX] })).close()
  }
  await new Promise(setImmediate)
  expect(listeners()).toBe(before)
})

test('[S4] a subscription that is too large is refused before all of it is read', async () => {
  const { fetch } = await pinned()
  let pulled = 0
  const body = new ReadableStream({
    pull(controller) {
      if (pulled === 64 * MIB) return controller.close()
      pulled += MIB
      controller.enqueue(new Uint8Array(MIB).fill(32))
    },
  })
  const headers = { ...HEADERS, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' }
  const request = { method: 'POST', headers, body, duplex: 'half' } as RequestInit
  expect((await fetch(URL_OF_HUMAN, request)).status).toBe(413)
  expect(pulled).toBeLessThan(8 * MIB)
})

/** The human surface with a pinned subscription, and how many listen to the inbox behind it. */
async function pinned() {
  const { chat } = openTestChat()
  const { viewOf, listeners } = counted(chat.as)
  const readiness = { refusal: () => undefined, onChange: () => ({ close() {} }) }
  const { paths, close } = openMcpEndpoints({ viewOf, subscribers: SUBSCRIBERS, readiness, requestLimitBytes: MIB })
  onTestFinished(close)
  const mount = paths.find(({ path }) => path === '/mcp/human')
  if (!mount) throw new Error('There is no human surface')
  const fetch = fetchFrom(mount, () => ADA)
  const { client } = await connect('legacy')
  await client.subscribeResource({ uri: INBOX, _meta: { [PINNED]: true } })
  return { fetch, listeners, connect }

  async function connect(era: Era) {
    const transport = new StreamableHTTPClientTransport(new URL(URL_OF_HUMAN), { fetch })
    const mode = era === 'modern' ? 'auto' : 'legacy'
    const client = new Client({ name: 'test-client', version: '1' }, { versionNegotiation: { mode } })
    await client.connect(transport)
    onTestFinished(() => client.close())
    return { client, transport }
  }
}

function counted(viewOf: (principal: Principal) => View) {
  let open = 0
  return { viewOf: counting, listeners: () => open }

  function counting(principal: Principal): View {
    const view = viewOf(principal)
    const { inbox } = view
    return {
      ...view,
      inbox: {
        ...inbox,
        onUserMessages: (listener) => one(inbox.onUserMessages(listener)),
        onAgent: (listener) => one(inbox.onAgent(listener)),
      },
    }
  }

  function one(listening: { close(): void }) {
    open++
    return {
      close() {
        open--
        listening.close()
        return true
      },
    }
  }
}

function post(message: object): RequestInit {
  return { method: 'POST', headers: HEADERS, body: JSON.stringify(message) }
}
