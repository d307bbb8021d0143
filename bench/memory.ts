import { openAgent } from './agent.ts'
import { COLLECTING, keptBy } from './collecting.ts'
import { hubOf } from './hub-of.ts'
import { rssMbOf } from './memory-of.ts'
import { postMany } from './posting.ts'
import { serve, start } from './process.ts'
import { interleave, median, type Result, written } from './statistics.ts'
import { CONVERSATION } from './texts.ts'
import { openTimeline } from './timeline-client.ts'
import type { Workplace } from './workplace.ts'

const SIZES = {
  full: { many: 100_000, few: 1000, parts: 10, rounds: 5 },
  smallest: { many: 20, few: 2, parts: 1, rounds: 2 },
}
const IDLE_SECONDS = 3
const IDLE_LIMIT_MB = 80
const LISTENER = `require('node:http').createServer().listen(0, '127.0.0.1', function () {
  console.error('http://localhost:' + this.address().port)
})`

/** Resident memory of the hub: idle, with a long history behind it, and after that history was written live. */
export async function memory({ size, env, emptyData, dataWith, settle }: Workplace): Promise<Result[]> {
  const { many, few, parts, rounds } = SIZES[size]
  const long = await dataWith(many)
  let asked = 0
  const idle = await interleave(rounds, { listener: idleListenerMb, hub: idleHubMb })
  const used = await interleave(rounds, { empty: () => usedMb(emptyData()), long: () => usedMb(long) })
  const live = await whilePosting()
  return [
    {
      measure: 'RSS of an idle hub; limit',
      unit: 'MB',
      baseline: IDLE_LIMIT_MB,
      parley: median(idle.hub),
      target: { atMostTimes: 1 },
    },
    {
      measure: 'RSS of an idle hub; node with an HTTP listener',
      unit: 'MB',
      baseline: median(idle.listener),
      parley: median(idle.hub),
      target: { atMostTimes: 2.2 },
    },
    {
      measure: `RSS with ${written(many)} messages; empty`,
      unit: 'MB',
      baseline: median(used.empty),
      parley: median(used.long),
      target: { atMostMore: 15 },
    },
    {
      measure: `RSS after ${written(many)} live posts; after ${written(few)}`,
      unit: 'MB',
      baseline: live.before,
      parley: live.after,
      target: { atMostMore: 15 },
    },
  ]

  async function idleListenerMb(): Promise<number> {
    const listener = start(['-e', LISTENER], env())
    await listener.url
    await settle(IDLE_SECONDS)
    const mb = listener.rssMb()
    await listener.stop()
    return mb
  }

  /** The memory of a hub that a line started, with that line and nobody else. */
  async function idleHubMb(): Promise<number> {
    const data = emptyData()
    const agent = await openAgent(env({ PARLEY_DATA: data }))
    const hub = hubOf(data)
    await settle(IDLE_SECONDS)
    const mb = rssMbOf(hub.pid)
    await agent.running.stop()
    await hub.gone()
    return mb
  }

  /** A person reads a page and answers one question of an agent. */
  async function usedMb(data: string): Promise<number> {
    const agent = await openAgent(env({ PARLEY_DATA: data, PARLEY_SESSION: CONVERSATION }))
    const hub = hubOf(data)
    const timeline = await openTimeline(agent.url)
    await timeline.greet({ conversation: CONVERSATION })
    await timeline.ask('page', { type: 'read', key: 'page', conversation: CONVERSATION })
    const question = timeline.entryWhere(({ body }) => body.kind === 'question')
    // The words differ each time: the same data is used again, and what was asked before may have its answer.
    const replied = agent.sendMessage(`Shall I go on with step ${++asked}?`)
    const { id } = await question
    await timeline.ask('accepted', { type: 'answer', key: `answer-${id}`, question: id, text: 'Yes' })
    await replied
    await settle()
    const mb = rssMbOf(hub.pid)
    timeline.close()
    await agent.running.stop()
    await hub.gone()
    return mb
  }

  async function whilePosting() {
    const hub = serve(emptyData(), env(), COLLECTING)
    const timeline = await openTimeline(await hub.url)
    await timeline.greet()
    await postMany(timeline, few)
    const before = await keptBy(hub)
    for (let part = 0; part < parts; part++) await postMany(timeline, many / parts)
    const after = await keptBy(hub)
    timeline.close()
    await hub.stop()
    return { before: before.rssMb, after: after.rssMb }
  }
}
