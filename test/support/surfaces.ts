import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { onTestFinished } from 'vitest'
import { createChat } from '../../src/chat/chat.ts'
import { openInbox } from '../../src/chat/inbox.ts'
import type { Log } from '../../src/log/log.ts'
import { openMemoryLog } from '../../src/log/memory-log.ts'
import type { AgentFiles } from '../../src/mcp/enclosures.ts'
import { openMounts } from '../../src/mcp/mounts.ts'
import { ParleyError } from '../../src/protocol/errors.ts'
import type { Principal } from '../../src/protocol/principal.ts'
import type { Era } from './agent.ts'
import { fetchFrom } from './fetch-from.ts'

export const ADA: Principal = { name: 'ada', role: 'human' }
export const ROBOT: Principal = { name: 'robot', role: 'agent' }
export const ROOT: Principal = { name: 'root', role: 'admin' }

interface SurfacesParts {
  log?: Log
  files?: AgentFiles
  maxWaitSeconds?: number
}

/** Every surface without a listener: clients fetch straight from it, as whoever the test says. */
export function openSurfaces({ log = openMemoryLog(), ...more }: SurfacesParts = {}) {
  const chat = createChat({ log, files: more.files?.store })
  const inbox = openInbox({ chat })
  const mcp = openMounts({ chat, inbox, bindingOf, requestLimitBytes: 8 * 1024 * 1024, ...more })
  onTestFinished(close)
  return { chat, mcp, close, connect }

  async function connect(path: string, principal: Principal, era: Era = 'legacy'): Promise<Client> {
    const mount = mcp.mounts.find((mount) => mount.path === path)
    if (!mount) throw new Error(`There is no surface at ${path}`)
    const fetch = fetchFrom(mount, () => principal)
    const mode = era === 'modern' ? 'auto' : 'legacy'
    const client = new Client({ name: 'test-client', version: '1' }, { versionNegotiation: { mode } })
    await client.connect(new StreamableHTTPClientTransport(new URL(`http://localhost${path}`), { fetch }))
    onTestFinished(() => client.close())
    return client
  }

  async function close() {
    await mcp.close()
    inbox.close()
    await chat.close()
  }
}

function bindingOf(subscriber: string): string | undefined {
  if (subscriber === 'bound') return 'private'
  if (subscriber === 'free') return undefined
  throw new ParleyError('unknown_subscriber', { subscriber })
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
  content: string
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
