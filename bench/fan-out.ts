import { openAnsweringClient } from './bridge-client.ts'
import { gatherCrowd } from './crowd.ts'
import { connectAgent } from './mcp-agent.ts'
import { besideUs, type Running, serve, start } from './process.ts'
import { interleave, median, type Result, written } from './statistics.ts'
import { CONVERSATION, MARK } from './texts.ts'
import { openTimeline } from './timeline-client.ts'
import type { Workplace } from './workplace.ts'

const SIZES = {
  full: { sockets: 5000, fewer: [1000, 100], warmUp: 5, rounds: 25 },
  smallest: { sockets: 4, fewer: [2], warmUp: 0, rounds: 1 },
}
/** How much more the processor may have to do where fewer listen: what is done once for all of them counts for more. */
const MOST_TIMES = [1.25, 1.5]
const TEXT = `${MARK} `.padEnd(300, '.')
const FLOOR = besideUs('fan-out-floor.ts')

/** Tells everyone something, and is done when the hub has come to rest again. */
type Tell = () => Promise<unknown>

/** One message to a crowd of sockets, beside a bare `ws` server that sends as many bytes to as many. */
export async function fanOut(workplace: Workplace): Promise<Result[]> {
  const { sockets, fewer } = SIZES[workplace.size]
  mustAllowOpenFiles(sockets)
  const rows = [
    ...(await compare('timeline', sockets, 1.2, workplace)),
    ...(await compare('bridge', sockets, 1.2, workplace)),
  ]
  for (const [n, few] of fewer.entries()) {
    const [, ...cpu] = await compare('timeline', few, MOST_TIMES[n] ?? 1.2, workplace)
    rows.push(...cpu)
  }
  return rows
}

async function compare(
  dialect: 'timeline' | 'bridge',
  sockets: number,
  atMostTimes: number,
  { size, env, emptyData }: Workplace,
): Promise<Result[]> {
  const { warmUp, rounds } = SIZES[size]
  const hub = serve(emptyData(), env())
  const bare = start([FLOOR], env())
  const hello = dialect === 'timeline' ? { type: 'hello' } : undefined
  const parley = await openHall(hub, `/ws?dialect=${dialect}`, sockets, hello)
  const floor = await openHall(bare, '/', sockets)
  const teller = await (dialect === 'timeline' ? openPoster(await hub.url) : openAsker(await hub.url))
  const speaker = await openTimeline(await bare.url)
  await parley.tell(teller.tell)
  const frame = `${MARK} `.padEnd(parley.frameBytes(), '.')
  const sources = {
    floor: () => floor.tell(async () => speaker.socket.send(frame)),
    parley: () => parley.tell(teller.tell),
  }
  await interleave(warmUp, sources)
  for (const hall of [floor, parley]) hall.cpuMicros.length = 0
  const took = await interleave(rounds, sources)
  teller.close()
  speaker.close()
  await Promise.all([parley.close(), floor.close()])
  return [
    {
      measure: `a message to ${written(sockets)} ${dialect} sockets; bare ws broadcast`,
      unit: 'ms',
      baseline: median(took.floor),
      parley: median(took.parley),
      target: { atMostTimes: 1.2 },
    },
    {
      measure: `CPU for each of ${written(sockets)} ${dialect} deliveries; bare ws broadcast`,
      unit: 'µs',
      baseline: median(floor.cpuMicros),
      parley: median(parley.cpuMicros),
      target: { atMostTimes },
    },
  ]
}

/** A server with a crowd in front of it. */
async function openHall(server: Running, path: string, sockets: number, hello?: object) {
  const crowd = await gatherCrowd((await server.url) + path, sockets, hello)
  const cpuMicros: number[] = []
  return { tell, cpuMicros, frameBytes: crowd.frameBytes, close }

  /** Measures from the first word to the last receipt. */
  async function tell(act: Tell): Promise<number> {
    let rest: Promise<unknown> | undefined
    const before = server.cpuMicros()
    const took = await crowd.hearAll(() => {
      rest = act()
    })
    cpuMicros.push((server.cpuMicros() - before) / sockets)
    await rest
    return took
  }

  async function close() {
    crowd.leave()
    await server.stop()
  }
}

async function openPoster(url: string) {
  const timeline = await openTimeline(url)
  await timeline.greet()
  let posts = 0
  return { tell, close: timeline.close }

  function tell() {
    return timeline.ask('accepted', { type: 'post', key: `post-${posts++}`, conversation: CONVERSATION, text: TEXT })
  }
}

/** A bridge client is told of questions alone, so that somebody must answer them. */
async function openAsker(url: string) {
  const agent = await connectAgent(url, CONVERSATION)
  const person = await openAnsweringClient(url, { waitForHistory: true })
  return { tell: () => agent.ask(TEXT), close }

  function close() {
    person.close()
    void agent.close()
  }
}

/** Node raises its own limit as far as it may; beyond that, only the shell can. */
function mustAllowOpenFiles(sockets: number) {
  const { userLimits } = process.report.getReport() as unknown as { userLimits: { open_files: { hard: number } } }
  const { hard } = userLimits.open_files
  if (hard < sockets * 1.1) throw new Error(`${sockets} sockets need a higher ulimit -n than ${hard}`)
}
