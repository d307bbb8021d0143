import { COLLECTING, keptBy } from './collecting.ts'
import { openHttpSession } from './http-session.ts'
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

/** What a hub keeps for 2025-era clients that might resume their streams: for one that gets long texts, and for several. */
export async function resumableStreams({ size, env, emptyData }: Workplace): Promise<Result[]> {
  const { calls, sessions, textBytes } = SIZES[size]
  const hub = serve(emptyData(), env(), COLLECTING)
  const url = await hub.url
  await callTool(url, 'ui_chat_human_post', { mime: 'text/plain', content: '.'.repeat(textBytes) })
  const client = await openReader(httpOf(url))
  await client.read(FEW)
  const few = await keptBy(hub)
  await client.read(calls)
  const one = await keptBy(hub)
  await inFlight(sessions - 1, 1, async () => (await openReader(httpOf(url))).read(calls))
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

async function openReader(url: string) {
  const { call } = await openHttpSession(`${url}/mcp/human`)
  return { read: (times: number) => inFlight(times, 1, () => call('chat_read_since', {})) }
}
