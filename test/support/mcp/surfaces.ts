import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, onTestFinished } from 'vitest'
import type { Subscribers } from '../../../src/chat/inbox/subscriber.ts'
import type { View } from '../../../src/chat/view.ts'
import { openMcpEndpoints } from '../../../src/doors/mcp/mcp-endpoints.ts'
import type { Page } from '../../../src/doors/mcp/page.ts'
import type { AgentFiles } from '../../../src/doors/mcp/tools/enclosures.ts'
import type { FileStore } from '../../../src/files/file-store.ts'
import type { Clock } from '../../../src/io/clock.ts'
import type { Log } from '../../../src/log/views.ts'
import { createReadiness } from '../../../src/ops/readiness.ts'
import { BEFORE_ALL, type Body, type Entry, type Question } from '../../../src/protocol/entries/entry.ts'
import type { Principal } from '../../../src/protocol/principal.ts'
import type { Era } from '../agent.ts'
import { newLog, openTestChat } from '../chat.ts'
import { fetchFrom } from './fetch-from.ts'
import { outputSchemas } from './output-schemas.ts'

export const ADA: Principal = { id: 'ada', name: 'ada', role: 'human' }
export const ROBOT: Principal = { id: 'robot', name: 'robot', role: 'agent' }
export const ROOT: Principal = { id: 'root', name: 'root', role: 'admin' }
export const BOUND: Principal = { id: 'bound', name: 'bound', role: 'human', conversation: 'private' }
const TOKENS = [ADA, ROBOT, ROOT, BOUND]

interface SurfacesParts {
  log?: Log
  files?: Omit<AgentFiles, 'mayRead'> & { store: FileStore }
  maxWaitSeconds?: number
  sessions?: { each: number; all: number }
  clock?: Clock
  page?(): Page
  /** Whom a caller may name; those who have a token, unless the test says otherwise. */
  subscribers?: Partial<Subscribers>
}

/** Every surface without a listener: clients fetch straight from it, as whoever the test says. */
export function openSurfaces({ log, subscribers, clock, ...more }: SurfacesParts = {}) {
  const { chat, view } = openTestChat({ log, files: more.files?.store, clock })
  const readiness = createReadiness({ recovered: chat.ready, failed: new Promise(() => {}) })
  const mcp = openMcpEndpoints({
    viewOf: chat.as,
    subscribers: { ...SUBSCRIBERS, ...subscribers },
    readiness,
    requestLimitBytes: 8 * 1024 * 1024,
    ...more,
  })
  onTestFinished(close)
  return { chat, view, mcp, readiness, close, connect }

  async function connect(path: string, principal: Principal, era: Era = 'legacy'): Promise<Client> {
    const endpoint = mcp.paths.find((endpoint) => endpoint.path === path)
    if (!endpoint) throw new Error(`There is no surface at ${path}`)
    const fetch = fetchFrom(endpoint, () => principal)
    const mode = era === 'modern' ? 'auto' : 'legacy'
    const client = new Client(
      { name: 'test-client', version: '1' },
      { versionNegotiation: { mode }, jsonSchemaValidator: outputSchemas },
    )
    await client.connect(new StreamableHTTPClientTransport(new URL(`http://localhost${path}`), { fetch }))
    onTestFinished(() => client.close())
    return client
  }

  async function close() {
    await mcp.close()
    await chat.close()
  }
}

/** An agent with all its tools, at a chat of its own. */
export async function openAgent(era: Era = 'modern', log = newLog()) {
  const { chat, view, connect } = openSurfaces({ log })
  return { chat, view, agent: await connect('/mcp/agent', { ...ROBOT, conversation: 'work' }, era) }
}

/** The person at the other end: what they do with each question, as it comes. */
export function person(view: View, act: (question: Entry & { body: Question }) => unknown) {
  const following = view.follow(
    { after: BEFORE_ALL },
    {
      async entries(entries) {
        for (const entry of entries) if (entry.body.kind === 'question') await act(entry as Entry & { body: Question })
      },
      failed: expect.unreachable,
    },
  )
  onTestFinished(following.close)
}

export async function bodies(view: View): Promise<Body[]> {
  return (await view.page('work', { limit: 100 })).entries.map(({ body }) => body)
}

/** Subscribers where there are no tokens. */
export const ANYONE: Pick<Subscribers, 'anyone'> = { anyone: () => true }

/** Who has a token besides those who connect. */
export const SUBSCRIBERS: Subscribers = {
  anyone: () => false,
  named: (name) => TOKENS.find((principal) => principal.name === name),
}

/** The data of a tool's answer, or its one sentence as an error. */
export async function call(client: Client, name: string, input: Record<string, unknown>) {
  const result = await client.callTool({ name, arguments: input })
  if (result.isError) throw new Error((result.content as { text: string }[])[0]?.text)
  return result.structuredContent as Record<string, unknown> & { id: string; messages: Message[]; last_id: string }
}

export interface Message {
  id: string
  ts: string
  author: string
  mime: string
  content: unknown
  session_id: string
}

export async function readJson(client: Client, uri: string) {
  const { contents } = await client.readResource({ uri })
  const [content] = contents as { mimeType?: string; text: string }[]
  return {
    mimeType: content?.mimeType,
    body: JSON.parse(content?.text ?? '') as { last_id: string; messages: Message[]; has_older?: boolean },
  }
}
