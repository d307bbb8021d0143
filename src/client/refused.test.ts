import { Client, SdkErrorCode, SdkHttpError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as V1Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as V1Transport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { expect, onTestFinished, test, vi } from 'vitest'
import { eventually } from '../../test/support/eventually.ts'
import { startHub, temporaryFolder } from '../../test/support/hub.ts'
import { openTokens } from '../doors/http/access/open-tokens.ts'
import { INBOX } from '../protocol/frames/inbox.ts'
import type { McpClient } from './mcp-client.ts'
import { createSubscriptionManager } from './subscriptions.ts'

const KINDS = ['2026-era', '2025-era', 'v1'] as const

test.each(KINDS)('[G332] a revoked token ends a %s client with the words of the hub', async (kind) => {
  const data = await temporaryFolder()
  const tokens = openTokens({ data })
  await tokens.create({ name: 'ada', role: 'admin' })
  const { secret } = await tokens.create({ name: 'page', role: 'human' })
  const { url } = await startHub(data)
  const told: unknown[] = []
  const manager = createSubscriptionManager(connect, { readEveryMs: 10 })
  onTestFinished(manager.close)
  await manager.subscribe(INBOX, (data) => told.push(data))
  await tokens.revoke('page')
  await eventually(() => expect(told.at(-1)).toEqual(refused('token')))

  async function connect(): Promise<McpClient> {
    const requestInit = { headers: { authorization: `Bearer ${secret}` } }
    const transport = new (kind === 'v1' ? V1Transport : StreamableHTTPClientTransport)(new URL(`${url}/mcp/human`), {
      requestInit,
    })
    const client = newClient()
    await client.connect(transport as StreamableHTTPClientTransport & V1Transport)
    return client
  }

  function newClient(): Client | V1Client {
    const about = { name: 'test-client', version: '1' }
    if (kind === 'v1') return new V1Client(about)
    return new Client(about, { versionNegotiation: { mode: kind === '2026-era' ? 'auto' : 'legacy' } })
  }
})

test('[G332] a connection that is refused is not tried again until somebody subscribes', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  let attempts = 0
  const [one, two]: [unknown[], unknown[]] = [[], []]
  const manager = createSubscriptionManager(async () => {
    attempts++
    throw new SdkHttpError(SdkErrorCode.ClientHttpAuthentication, 'Unknown token', { status: 401 })
  })
  onTestFinished(manager.close)
  await manager.subscribe(INBOX, (data) => one.push(data))
  await vi.advanceTimersByTimeAsync(120_000)
  expect(attempts).toBe(1)
  await manager.subscribe(INBOX, (data) => two.push(data))
  await vi.advanceTimersByTimeAsync(120_000)
  expect(attempts).toBe(2)
  expect([one, two]).toEqual([[refused('Unknown token')], [refused('Unknown token')]])
})

test.each(['2025-era', 'v1'] as const)(
  '[I11] what a %s client of the caller is told before it is connected again is no refusal',
  async (kind) => {
    const { url, view } = await startHub()
    const about = { name: 'test-client', version: '1' }
    const client = kind === 'v1' ? new V1Client(about) : new Client(about, { versionNegotiation: { mode: 'legacy' } })
    let letIn = Promise.resolve()
    let statuses: number[] = []
    await connect()
    const told: unknown[] = []
    const manager = createSubscriptionManager(client, { readEveryMs: 0 })
    onTestFinished(manager.close)
    await manager.subscribe(INBOX, (data) => told.push(data))
    await client.close()
    statuses = []
    const { promise, resolve } = Promise.withResolvers<void>()
    letIn = promise
    const connected = connect()
    await eventually(() => expect(statuses).toContain(400))
    resolve()
    await connected
    await view.say('work', { text: 'missed' })
    await eventually(() => expect(JSON.stringify(told.at(-1))).toContain('missed'))
    expect(told).not.toContainEqual(refused(''))

    async function connect() {
      const transport = new (kind === 'v1' ? V1Transport : StreamableHTTPClientTransport)(new URL(`${url}/mcp/human`), {
        fetch: held,
      })
      await client.connect(transport as StreamableHTTPClientTransport & V1Transport)
    }

    async function held(address: string | URL, init?: RequestInit) {
      if (String(init?.body).includes('"initialize"')) await letIn
      const response = await fetch(address, init)
      statuses.push(response.status)
      return response
    }
  },
)

function refused(words: string) {
  return { error: 'refused', message: expect.stringContaining(words) }
}
