import { openEventStreams } from './event-streams.ts'
import { besideUs, httpOf, serve, start } from './process.ts'
import { callTool } from './rest.ts'
import { interleave, median, type Result, written } from './statistics.ts'
import { MARK } from './texts.ts'
import type { Workplace } from './workplace.ts'

const SIZES = {
  full: { streams: 1000, warmUp: 2, rounds: 15 },
  smallest: { streams: 3, warmUp: 0, rounds: 1 },
}
const INBOX = 'ui://chat/inbox'

/** Measures from a post to the moment when the last of many subscribers of the inbox has been told. */
export async function subscribers({ size, env, emptyData }: Workplace): Promise<Result[]> {
  const { streams, warmUp, rounds } = SIZES[size]
  const floor = start([besideUs('broadcast-floor.ts')], env())
  const parley = serve(emptyData(), env())
  const [floorUrl, parleyUrl] = [httpOf(await floor.url), httpOf(await parley.url)]
  const ours = await openEventStreams(streams, (n) => listening(parleyUrl, n))
  const theirs = await openEventStreams(streams, () => ({ options: place(floorUrl, '/') }))
  const tell = () =>
    ours.hearAll(() => callTool(parleyUrl, 'ui_chat_human_post', { mime: 'text/plain', content: MARK }))
  await tell()
  // The floor writes as many bytes as each of Parley's subscribers was sent.
  const bytes = `data: ${MARK}`.padEnd(ours.size() - 2, '.')
  const sources = {
    parley: tell,
    floor: () => theirs.hearAll(() => fetch(floorUrl, { method: 'POST', body: `${bytes}\n\n` })),
  }
  await interleave(warmUp, sources)
  const took = await interleave(rounds, sources)
  ours.close()
  theirs.close()
  await Promise.all([floor.stop(), parley.stop()])
  return [
    {
      measure: `post until the last of ${written(streams)} subscribers knows; raw broadcast`,
      unit: 'ms',
      baseline: median(took.floor),
      parley: median(took.parley),
      target: { atMostTimes: 2 },
    },
  ]
}

/** A 2026-era subscription, as a client sends it. */
function listening(url: string, n: number) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const params = { notifications: { resourceSubscriptions: [INBOX] }, _meta }
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'subscriptions/listen',
  }
  return {
    options: { ...place(url, '/mcp/human'), method: 'POST', headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: n, method: 'subscriptions/listen', params }),
  }
}

function place(url: string, path: string) {
  return { host: '127.0.0.1', port: new URL(url).port, path, headers: { host: new URL(url).host } }
}
