import type { Client as Mcp } from '@modelcontextprotocol/client'
import { visible } from '../../protocol/text/visible.ts'
import { VERSION } from '../../protocol/version.ts'
import type { Config } from '../config.ts'
import { isAnsweredAt, noHubAt } from './answered-port.ts'
import type { Client } from './client.ts'
import { isOwnReach } from './own-server.ts'
import type { Places } from './places.ts'
import { entryIn } from './plan.ts'
import { type Reach, reachOf } from './reach.ts'
import { isOwnAddress } from './server-entry.ts'

const LIMIT_MS = 20_000
const LONGEST_PROBLEM = 300

interface Wanted {
  isProject: boolean
  config: Config
}

/** Starts the server of a client as its own entry says, and tells what comes of it. */
export async function check(client: Client, { isProject, config }: Wanted, places: Places): Promise<boolean> {
  const { entry, path } = await entryIn(client, { isProject }, places)
  const reach = reachOf(entry)
  if (!reach) return told('is not connected', false)
  if (isProject && !(await isOwnReach(reach, config)))
    return told(`is not what parley connect writes here, so that nothing was started; see ${path}`, false)
  const { Client: McpClient } = await import('@modelcontextprotocol/client')
  const mcp = new McpClient({ name: 'parley-connect', version: VERSION })
  return works(mcp, reach).then(
    (words) => told(words, true),
    async (error) => told(await reasonOf(error, reach), false),
  )

  function told(words: string, isFine: boolean): boolean {
    const say = isFine ? console.log : console.error
    say(`${client.title}: ${words}`)
    return isFine
  }
}

/** What a fetch says of it helps nobody. */
async function reasonOf(error: Error, reach: Reach): Promise<string> {
  const isAway = 'url' in reach && isOwnAddress(reach.url) && !(await isAnsweredAt(reach.url))
  return isAway ? noHubAt(reach.url).message : `does not work: ${onOneLine(error.message)}`
}

/** What a server says must not pass for a line of the check. */
function onOneLine(problem: string): string {
  return visible(problem.slice(0, LONGEST_PROBLEM).replace(/\s+/g, ' ').trim())
}

async function works(mcp: Mcp, reach: Reach): Promise<string> {
  try {
    await mcp.connect(await transportOf(reach), { timeout: LIMIT_MS })
    const { tools } = await mcp.listTools(undefined, { timeout: LIMIT_MS })
    return `works, with ${tools.length === 1 ? '1 tool' : `${tools.length} tools`}`
  } finally {
    await mcp.close()
  }
}

async function transportOf(reach: Reach) {
  if ('url' in reach) {
    const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client')
    return new StreamableHTTPClientTransport(new URL(reach.url), { requestInit: { headers: reach.headers } })
  }
  const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio')
  return new StdioClientTransport({ ...reach, stderr: 'ignore' })
}
