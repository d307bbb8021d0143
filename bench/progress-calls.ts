import { type Agent, startAgent } from './agent.ts'
import { COLLECTING, type Kept, keptBy } from './collecting.ts'
import { inFlight } from './in-flight.ts'
import { PARLEY, type Running } from './process.ts'
import { type Result, written } from './statistics.ts'
import { CONVERSATION, textOf } from './texts.ts'
import type { Workplace } from './workplace.ts'

const SIZES = {
  full: { few: 1000, many: 100_000 },
  smallest: { few: 2, many: 4 },
}
const IN_FLIGHT = 64

interface Growth {
  before: Kept
  after: Kept
}

/** What an agent that tells all it does leaves in memory, when its process has the hub and when another one has. */
export async function progressCalls({ size, env, emptyData }: Workplace): Promise<Result[]> {
  const { few, many } = SIZES[size]
  const [own] = await alone()
  const [hub, joined] = await beside()
  return [
    line('the hub', 'its own agent', own),
    line('the hub', 'a joined agent', hub),
    line('the process', 'a joined agent', joined),
  ]

  async function alone() {
    const agent = await openAgent(emptyData())
    const grown = await growth(agent, [agent.running])
    await agent.running.stop()
    return grown
  }

  async function beside() {
    const data = emptyData()
    const owner = await openAgent(data)
    const guest = await openAgent(data)
    const grown = await growth(guest, [owner.running, guest.running])
    await guest.running.stop()
    await owner.running.stop()
    return grown
  }

  function openAgent(data: string) {
    const settings = env({ PARLEY_DATA: data, PARLEY_SESSION: CONVERSATION })
    return startAgent([...COLLECTING, PARLEY, 'stdio', '--surface', 'agent'], settings)
  }

  async function growth(agent: Agent, processes: Running[]): Promise<Growth[]> {
    await tell(agent, few)
    const before = await Promise.all(processes.map(keptBy))
    await tell(agent, many - few)
    const after = await Promise.all(processes.map(keptBy))
    return processes.map((_, n) => ({ before: before[n] as Kept, after: after[n] as Kept }))
  }

  function tell(agent: Agent, calls: number) {
    return inFlight(calls, IN_FLIGHT, (n) => agent.call('send_progress', { text: textOf(n) }))
  }

  function line(whose: string, who: string, growth: Growth | undefined): Result {
    return {
      measure: `RSS of ${whose} after ${written(many)} progress calls of ${who}; after ${written(few)}`,
      unit: 'MB',
      baseline: growth?.before.rssMb ?? Number.NaN,
      parley: growth?.after.rssMb ?? Number.NaN,
      target: { atMostMore: 20 },
    }
  }
}
