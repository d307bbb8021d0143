import { setTimeout as pause } from 'node:timers/promises'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { httpOf, PARLEY, start } from './process.ts'
import { median, type Result } from './statistics.ts'
import type { Workplace } from './workplace.ts'

const FEW = 100
const MANY = 3000
const POSTS = 100
const INBOX = 'ui://chat/inbox'
// Garbage is no growth: at a signal the hub throws it away, and gives memory back in the background.
const COLLECT = `process.on('SIGUSR2', () => gc({ type: 'major', execution: 'sync', flavor: 'last-resort' }))`
const COLLECTING = ['--expose-gc', '--import', `data:text/javascript,${encodeURIComponent(COLLECT)}`]
const SETTLE_MS = 1000
const REFUSED = {
  method: 'POST',
  headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
}

/** What 2025-era requests without a session leave behind at a hub that keeps a pinned subscription. */
export async function refusedPosts({ env, emptyData }: Workplace): Promise<Result[]> {
  const hub = start([...COLLECTING, PARLEY, 'serve', '--port', '0', '--data', emptyData()], env())
  const url = httpOf(await hub.url)
  await pin(`${url}/mcp/human`)
  await refuse(FEW)
  const few = { mb: await keptMb(), ms: await postMs() }
  await refuse(MANY - FEW)
  const many = { mb: await keptMb(), ms: await postMs() }
  await hub.stop()
  return [
    {
      measure: `RSS after ${MANY} refused POSTs; after ${FEW}`,
      unit: 'MB',
      baseline: few.mb,
      parley: many.mb,
      target: { atMostMore: 20 },
    },
    {
      measure: `a person's post after ${MANY} refused POSTs; after ${FEW}`,
      unit: 'ms',
      baseline: few.ms,
      parley: many.ms,
      target: { atMostTimes: 1.5 },
    },
  ]

  async function refuse(times: number) {
    for (let n = 0; n < times; n++) await answered(`${url}/mcp/human`, REFUSED, 400)
  }

  /** One post after the other, so that each waits until the followers of the one before were told. */
  async function postMs(): Promise<number> {
    const body = JSON.stringify({ mime: 'text/plain', content: 'Hello' })
    const took: number[] = []
    for (let n = 0; n < POSTS; n++) {
      const started = performance.now()
      await answered(`${url}/api/tools/ui_chat_human_post`, { method: 'POST', body }, 200)
      took.push(performance.now() - started)
    }
    return median(took)
  }

  async function keptMb(): Promise<number> {
    hub.child.kill('SIGUSR2')
    await pause(SETTLE_MS)
    return hub.rssMb()
  }
}

async function answered(url: string, request: RequestInit, status: number) {
  const response = await fetch(url, request)
  await response.text()
  if (response.status !== status) throw new Error(`It was answered with ${response.status} instead of ${status}`)
}

async function pin(url: string) {
  const client = new Client({ name: 'bench', version: '0' }, { versionNegotiation: { mode: 'legacy' } })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  await client.subscribeResource({ uri: INBOX, _meta: { 'parley/pinned': true } })
  await client.close()
}
