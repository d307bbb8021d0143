import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from '@modelcontextprotocol/client'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { onTestFinished } from 'vitest'

const INFO = { name: 'test-client', version: '1' }

/** What the clients of both SDKs have in common. */
interface SdkClient {
  listTools(): Promise<{ tools: { name: string }[] }>
  listResources(): Promise<{ resources: { uri: string }[] }>
  readResource(params: { uri: string }): Promise<{ contents: unknown[] }>
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<object>
  close(): Promise<void>
}

interface Update {
  uri: string
  _meta?: Record<string, unknown>
}

export async function connectV1(url: string) {
  const { fetch, listening } = watchedFetch()
  const client = new ClientV1(INFO)
  const updated = Promise.withResolvers<Update>()
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => updated.resolve(params))
  await client.connect(new TransportV1(new URL(url), { fetch }))
  return {
    ...verbsOf(client),
    updated: updated.promise,
    async subscribe(uri: string) {
      await Promise.all([client.subscribeResource({ uri }), listening])
    },
  }
}

export async function connectV2(url: string, mode: 'legacy' | 'auto') {
  const { fetch, listening } = watchedFetch()
  const client = new ClientV2(INFO, { versionNegotiation: { mode } })
  const updated = Promise.withResolvers<Update>()
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => updated.resolve(params))
  await client.connect(new TransportV2(new URL(url), { fetch }))
  return {
    ...verbsOf(client),
    updated: updated.promise,
    async subscribe(uri: string) {
      if (mode === 'legacy') await Promise.all([client.subscribeResource({ uri }), listening])
      else await client.listen({ resourceSubscriptions: [uri] })
    },
  }
}

/** A 2025-era client opens its stream without waiting for it, and hears nothing before it is open. */
function watchedFetch() {
  const open = Promise.withResolvers<void>()
  const watched = async (url: string | URL, init?: RequestInit) => {
    const response = await fetch(url, init)
    if (init?.method === 'GET' && response.ok) open.resolve()
    return response
  }
  return { fetch: watched, listening: open.promise }
}

function verbsOf(client: SdkClient) {
  onTestFinished(() => client.close())
  return { tools, resources, read, call }

  async function tools() {
    return (await client.listTools()).tools.map(({ name }) => name)
  }

  async function resources() {
    return (await client.listResources()).resources.map(({ uri }) => uri)
  }

  async function read(uri: string) {
    const [content] = (await client.readResource({ uri })).contents as { text: string }[]
    return JSON.parse(content?.text ?? '')
  }

  async function call(name: string, input: Record<string, unknown>) {
    const result = await client.callTool({ name, arguments: input })
    return (result as { structuredContent: Record<string, unknown> }).structuredContent
  }
}
