import { openAgent } from './agent.ts'
import { openFaithfulPage } from './faithful-page.ts'
import { hubOf } from './hub-of.ts'
import { patiently } from './patience.ts'
import { interleave, median, type Result } from './statistics.ts'
import type { Workplace } from './workplace.ts'

const SIZES = { full: { agents: 3, warmUp: 2, rounds: 21 }, smallest: { agents: 2, warmUp: 0, rounds: 1 } }
const LIMIT_MS = 500

/** How long a person sees "reconnecting" when the hub is killed while agents are connected to it. */
export async function hubKilled({ size, env, emptyData }: Workplace): Promise<Result[]> {
  const { agents: count, warmUp, rounds } = SIZES[size]
  const data = emptyData()
  const agents = await Promise.all(Array.from({ length: count }, () => openAgent(env({ PARLEY_DATA: data }))))
  const page = openFaithfulPage(hubOf(data).url)
  await patiently('the page to be there', page.welcomed())
  await interleave(warmUp, { untilBack })
  const took = await interleave(rounds, { untilBack })
  page.close()
  await Promise.all(agents.map(({ running }) => running.stop()))
  return [
    {
      measure: 'hub killed to page connected again, p50; limit',
      unit: 'ms',
      baseline: LIMIT_MS,
      parley: median(took.untilBack),
      target: { atMostTimes: 1 },
    },
  ]

  async function untilBack(): Promise<number> {
    const back = page.welcomed()
    const killed = performance.now()
    process.kill(hubOf(data).pid, 'SIGKILL')
    await patiently('the page to come back', back)
    const took = performance.now() - killed
    // The next one is killed when everybody has come back to it.
    await Promise.all(agents.map((agent) => agent.listTools()))
    return took
  }
}
