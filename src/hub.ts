import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createChat } from './chat/chat.ts'
import { openInbox } from './chat/inbox.ts'
import { createAccess } from './http/access.ts'
import { fileShelf } from './http/file-shelf.ts'
import { givenTokens } from './http/given-tokens.ts'
import { isLoopback } from './http/guard.ts'
import { memoryShelf } from './http/memory-shelf.ts'
import { listen } from './http/server.ts'
import { createTokens } from './http/tokens.ts'
import { LogUnavailable } from './log/log.ts'
import { openSqliteLog } from './log/sqlite-log.ts'
import { openMounts } from './mcp/mounts.ts'
import { ParleyError } from './protocol/errors.ts'
import { openWsDoor } from './ws/door.ts'

export interface HubConfig {
  host: string
  /** 0 for any free one. */
  port: number
  /** The folder of the log, or `memory` for a hub that forgets. */
  data: string
  /** Tokens from the environment, as `PARLEY_TOKENS` holds them. */
  tokens?: string
}

export type Hub = Awaited<ReturnType<typeof openHub>>

// A text of 1 MiB may take several times its size as JSON.
const WIRE_LIMIT_BYTES = 8 * 1024 * 1024

/** Puts the parts together; everything that is opened here is closed here. */
export async function openHub({ host, port, data, tokens: given }: HubConfig) {
  const tokens = openTokens({ data, tokens: given })
  const loopback = isLoopback(host)
  if (!loopback && !tokens.exist()) throw new ParleyError('not_loopback', { host })
  const log = await openLog(data)
  const chat = createChat({ log })
  const inbox = openInbox({ chat })
  const mcp = openMounts({ chat, inbox, bindingOf, requestLimitBytes: WIRE_LIMIT_BYTES })
  const door = openWsDoor({ chat, frameLimitBytes: WIRE_LIMIT_BYTES, report })
  const http = await listen({
    host,
    port,
    pageFolder: pageFolder(),
    access: createAccess({ tokens, loopback }),
    mounts: mcp.mounts,
    tools: mcp.tools,
    requestLimitBytes: WIRE_LIMIT_BYTES,
    upgrade: door.upgrade,
    report,
  }).catch(async (error) => {
    await chat.close()
    throw error
  })
  return { chat, mcp, tokens, port: http.port, url: addressOf(host, http.port), close }

  function bindingOf(subscriber: string): string | undefined {
    const token = tokens.list().find(({ name }) => name === subscriber)
    if (!token) throw new ParleyError('unknown_subscriber', { subscriber })
    return token.conversation
  }

  async function close() {
    await Promise.all([mcp.close(), door.close()])
    await http.close()
    inbox.close()
    await chat.close()
  }
}

/** Where a browser on this machine finds the hub; one address, because a cookie is of one host name. */
export function addressOf(host: string, port: number): string {
  if (isLoopback(host) || host === '0.0.0.0' || host === '::') return `http://localhost:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Who may call a hub of this data; the command line uses it without a hub. */
export function openTokens({ data, tokens }: Pick<HubConfig, 'data' | 'tokens'>) {
  const shelf = data === 'memory' ? memoryShelf() : fileShelf(join(data, 'tokens.json'))
  return createTokens({ shelf, given: givenTokens(tokens) })
}

async function openLog(data: string) {
  const path = data === 'memory' ? ':memory:' : join(data, 'parley.db')
  try {
    return await openSqliteLog(path)
  } catch (error) {
    if (!(error instanceof LogUnavailable)) throw error
    throw new ParleyError(`data_${error.kind}`, { reason: error.message }, error)
  }
}

/** Beside the bundle; from the sources, where the build puts it. */
function pageFolder(): string {
  return fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? '../dist/web' : './web', import.meta.url))
}

function report(error: unknown) {
  console.error(error)
}
