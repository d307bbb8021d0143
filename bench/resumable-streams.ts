import { INITIALIZE } from './agent.ts'
import { COLLECTING, keptBy } from './collecting.ts'
import { inFlight } from './in-flight.ts'
import { httpOf, serve } from './process.ts'
import { callTool } from './rest.ts'
import type { Result } from './statistics.ts'
import type { Workplace } from './workplace.ts'

const SIZES = {
  full: { calls: 300, sessions: 10, textBytes: 100 * 1024 },
  smallest: { calls: 2, sessions: 2, textBytes: 1024 },
}
const FEW = 1
const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

/** What a hub keeps for 2025-era clients that might resume their streams: for one that gets long texts, and for several. */
export async function resumableStreams({ size, env, emptyData }: Workplace): Promise<Result[]> {
  const { calls, sessions, textBytes } = SIZES[size]
  const hub = serve(emptyData(), env(), COLLECTING)
  const url = await hub.url
  await callTool(url, 'ui_chat_human_post', { mime: 'text/plain', content: '.'.repeat(textBytes) })
  const client = await openSession(`${httpOf(url)}/mcp/human`)
  await client.read(FEW)
  const few = await keptBy(hub)
  await client.read(calls)
  const one = await keptBy(hub)
  await inFlight(sessions - 1, 1, async () => (await openSession(`${httpOf(url)}/mcp/human`)).read(calls))
  const all = await keptBy(hub)
  await hub.stop()
  const results = `${calls} results of ${textBytes / 1024} KB`
  return [
    {
      measure: `heap after ${results} in one session; after ${FEW}`,
      unit: 'MB',
      baseline: few.heapMb,
      parley: one.heapMb,
      target: { atMostMore: 10 },
    },
    {
      measure: `heap after ${results} in each of ${sessions} sessions; after ${FEW}`,
      unit: 'MB',
      baseline: few.heapMb,
      parley: all.heapMb,
      target: { atMostMore: 36 },
    },
  ]
}

/** Raw HTTP, because a client of the SDK would keep something itself. */
async function openSession(url: string) {
  const opened = await post({ id: 0, method: 'initialize', params: INITIALIZE })
  const session = opened.headers.get('mcp-session-id')
  if (!session) throw new Error(`No session was opened, but ${opened.status} answered: ${await opened.text()}`)
  await opened.text()
  const headers = { 'mcp-session-id': session, 'mcp-protocol-version': INITIALIZE.protocolVersion }
  await post({ method: 'notifications/initialized' }, headers)
  return { read }

  async function read(times: number) {
    for (let id = 1; id <= times; id++) {
      const response = await post(
        { id, method: 'tools/call', params: { name: 'chat_read_since', arguments: {} } },
        headers,
      )
      const text = await response.text()
      if (!text.includes('"structuredContent"')) throw new Error(`chat_read_since was answered with: ${text}`)
    }
  }

  function post(message: object, more: Record<string, string> = {}) {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message })
    return fetch(url, { method: 'POST', headers: { ...HEADERS, ...more }, body })
  }
}
