import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createChat } from './chat/chat.ts'
import { listen } from './http/server.ts'
import { LogUnavailable } from './log/log.ts'
import { openSqliteLog } from './log/sqlite-log.ts'
import { createMcpEndpoint } from './mcp/endpoint.ts'
import { ParleyError } from './protocol/errors.ts'
import { openWsDoor } from './ws/door.ts'

export interface HubConfig {
  host: string
  /** 0 for any free one. */
  port: number
  /** The folder of the log, or `memory` for a hub that forgets. */
  data: string
}

export type Hub = Awaited<ReturnType<typeof openHub>>

// A text of 1 MiB may take several times its size as JSON.
const WIRE_LIMIT_BYTES = 8 * 1024 * 1024

/** Puts the parts together; everything that is opened here is closed here. */
export async function openHub({ host, port, data }: HubConfig) {
  const log = await openLog(data)
  const chat = createChat({ log })
  const endpoint = createMcpEndpoint({ chat, requestLimitBytes: WIRE_LIMIT_BYTES })
  const door = openWsDoor({ chat, frameLimitBytes: WIRE_LIMIT_BYTES, report })
  const http = await listen({
    host,
    port,
    pageFolder: pageFolder(),
    mcp: endpoint.fetch,
    upgrade: door.upgrade,
    report,
  }).catch(async (error) => {
    await chat.close()
    throw error
  })
  return { chat, port: http.port, url: `http://localhost:${http.port}`, close }

  async function close() {
    await Promise.all([endpoint.close(), door.close()])
    await http.close()
    await chat.close()
  }
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
