import { openAgent } from './agent.ts'
import { COLLECTING, type Kept, keptBy } from './collecting.ts'
import { inFlight } from './in-flight.ts'
import { serve } from './process.ts'
import { type Result, written } from './statistics.ts'
import { CONVERSATION, textOf } from './texts.ts'
import type { Workplace } from './workplace.ts'

const SIZES = {
  full: { few: 1000, many: 100_000 },
  smallest: { few: 2, many: 4 },
}
const IN_FLIGHT = 64

/** What an agent that tells all it does leaves in memory: in the hub, and in its line to it. */
export async function progressCalls({ size, env, emptyData }: Workplace): Promise<Result[]> {
  const { few, many } = SIZES[size]
  const data = emptyData()
  const hub = serve(data, env(), COLLECTING)
  await hub.url
  const settings = env({ PARLEY_DATA: data, PARLEY_SESSION: CONVERSATION })
  const agent = await openAgent(settings, { nodeFlags: COLLECTING, words: ['--surface', 'agent'] })
  await tell(few)
  const before = await kept()
  await tell(many - few)
  const after = await kept()
  await agent.running.stop()
  await hub.stop()
  return [row('the hub', before.hub, after.hub), row('the line', before.line, after.line)]

  function tell(calls: number) {
    return inFlight(calls, IN_FLIGHT, (n) => agent.call('send_progress', { text: textOf(n) }))
  }

  async function kept() {
    return { hub: await keptBy(hub), line: await keptBy(agent.running) }
  }

  function row(whose: string, before: Kept, after: Kept): Result {
    return {
      measure: `RSS of ${whose} after ${written(many)} progress calls; after ${written(few)}`,
      unit: 'MB',
      baseline: before.rssMb,
      parley: after.rssMb,
      target: { atMostMore: 20 },
    }
  }
}
