import { randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { type JSONRPCMessage, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import { createQueue } from '../../../io/queue.ts'

interface DoorParts {
  folder: string
  server: { command: string; args: string[]; env: Record<string, string> }
}

/** An agent has one at a time; each is a process of its own. */
const MOST_SESSIONS = 4

/**
 * Parley over HTTP for an agent that takes it no other way: this process passes its messages on to the same program that
 * others start. At this machine's own address alone, with a token that ends with the agent.
 */
export async function openHttpDoor({ folder, server: stdio }: DoorParts) {
  const token = randomBytes(32).toString('base64url')
  const expected = Buffer.from(`Bearer ${token}`)
  const sessions = new Map<string, { handle(request: Request): Promise<Response>; close(): Promise<void> }>()
  /** One after the other, so that they are counted. */
  const beginning = createQueue()
  let isClosed = false
  const server = createServer(getRequestListener(answer))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as { port: number }
  return { url: `http://127.0.0.1:${port}/mcp`, headers: { Authorization: `Bearer ${token}` }, close }

  async function answer(request: Request): Promise<Response> {
    const shown = Buffer.from(request.headers.get('authorization') ?? '')
    const isAgent = shown.length === expected.length && timingSafeEqual(shown, expected)
    // No page has it, whatever it was told.
    if (!isAgent || request.headers.has('origin')) return new Response(null, { status: 401 })
    const id = request.headers.get('mcp-session-id')
    const known = id === null ? await beginning.add(begin) : sessions.get(id)
    return known ? known.handle(request) : new Response(null, { status: 404 })
  }

  async function begin() {
    if (isClosed) return undefined
    const [oldest] = sessions
    if (oldest && sessions.size >= MOST_SESSIONS) await end(oldest[0])
    const id = randomUUID()
    // It ends with its stdin, whatever becomes of this process.
    const line = new StdioClientTransport({ ...stdio, env: stdio.env, cwd: folder, stderr: 'ignore' })
    const door = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      onsessionclosed: () => end(id),
    })
    const askedWith = new Map<unknown, string | number>()
    door.onmessage = (message) => {
      const progress = tokenOf(message)
      if (progress !== undefined && 'id' in message && message.id !== undefined) askedWith.set(progress, message.id)
      // A line that is gone ends the session, by which its agent hears of it.
      line.send(message).catch(() => {})
    }
    line.onmessage = (message) => {
      const progress = 'params' in message ? message.params?.progressToken : undefined
      if (!('method' in message)) forget(message.id)
      // An agent that hung up wants no answer any more.
      door.send(message, { relatedRequestId: askedWith.get(progress) }).catch(() => {})
    }
    line.onclose = () => void end(id)
    await Promise.all([door.start(), line.start()])
    const session = {
      handle: (request: Request) => door.handleRequest(request),
      async close() {
        await Promise.all([door.close(), line.close()])
      },
    }
    sessions.set(id, session)
    return session

    function forget(answered: unknown) {
      for (const [progress, asked] of askedWith) if (asked === answered) askedWith.delete(progress)
    }
  }

  async function end(id: string) {
    const session = sessions.get(id)
    sessions.delete(id)
    await session?.close()
  }

  async function close() {
    isClosed = true
    server.close()
    server.closeAllConnections()
    await beginning.idle()
    await Promise.all([...sessions.keys()].map(end))
  }
}

function tokenOf(message: JSONRPCMessage): unknown {
  return 'method' in message
    ? (message.params?._meta as { progressToken?: unknown } | undefined)?.progressToken
    : undefined
}
