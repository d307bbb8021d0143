import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { COLLECTING, keptBy } from './collecting.ts'
import { httpOf, serve } from './process.ts'
import { callTool } from './rest.ts'
import { median, type Result } from './statistics.ts'
import type { Workplace } from './workplace.ts'

const SIZES = {
  full: { few: 100, many: 3000, posts: 100 },
  smallest: { few: 1, many: 2, posts: 1 },
}
const INBOX = 'ui://chat/inbox'
const REFUSED = {
  method: 'POST',
  headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
}

/** What 2025-era requests without a session leave behind at a hub that keeps a pinned subscription. */
export async function refusedPosts({ size, env, emptyData }: Workplace): Promise<Result[]> {
  const { few, many, posts } = SIZES[size]
  const hub = serve(emptyData(), env(), COLLECTING)
  const url = await hub.url
  await pin(`${httpOf(url)}/mcp/human`)
  await refuse(few)
  const before = { ...(await keptBy(hub)), ms: await postMs() }
  await refuse(many - few)
  const after = { ...(await keptBy(hub)), ms: await postMs() }
  await hub.stop()
  return [
    {
      measure: `RSS after ${many} refused POSTs; after ${few}`,
      unit: 'MB',
      baseline: before.rssMb,
      parley: after.rssMb,
      target: { atMostMore: 20 },
    },
    {
      measure: `a person's post after ${many} refused POSTs; after ${few}`,
      unit: 'ms',
      baseline: before.ms,
      parley: after.ms,
      target: { atMostTimes: 1.5 },
    },
  ]

  async function refuse(times: number) {
    for (let n = 0; n < times; n++) {
      const response = await fetch(`${httpOf(url)}/mcp/human`, REFUSED)
      await response.text()
      if (response.status !== 400) throw new Error(`It was not refused but answered with ${response.status}`)
    }
  }

  /** One post after the other, so that each waits until the followers of the one before were told. */
  async function postMs(): Promise<number> {
    const took: number[] = []
    for (let n = 0; n < posts; n++) {
      const started = performance.now()
      await callTool(url, 'ui_chat_human_post', { mime: 'text/plain', content: 'Hello' })
      took.push(performance.now() - started)
    }
    return median(took)
  }
}

async function pin(url: string) {
  const client = new Client({ name: 'bench', version: '0' }, { versionNegotiation: { mode: 'legacy' } })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  await client.subscribeResource({ uri: INBOX, _meta: { 'parley/pinned': true } })
  await client.close()
}
