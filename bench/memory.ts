import { setTimeout as pause } from 'node:timers/promises'
import { attachAgent } from './agent.ts'
import { postMany } from './posting.ts'
import { CONVERSATION } from './prefill.ts'
import { PARLEY, type Running, serve, start } from './process.ts'
import { interleave, median, type Result } from './statistics.ts'
import { openTimeline } from './timeline-client.ts'
import type { Workplace } from './workplace.ts'

const ROUNDS = 5
const MANY = 100_000
const PARTS = 10
const LISTENER = `require('node:http').createServer().listen(0, '127.0.0.1', function () {
  console.error('http://localhost:' + this.address().port)
})`
// Long enough for what a start leaves to do, short of what the garbage collector does only for idle processes.
const SETTLE_MS = 1000

/** Resident memory of the hub: idle, with a long history behind it, and after that history was written live. */
export async function memory({ env, emptyData, dataWith }: Workplace): Promise<Result[]> {
  const long = await dataWith(MANY)
  const idle = await interleave(ROUNDS, {
    listener: () => idleMb(start(['-e', LISTENER], env())),
    hub: () => idleMb(serve(emptyData(), env())),
  })
  const used = await interleave(ROUNDS, { empty: () => usedMb(emptyData()), long: () => usedMb(long) })
  const live = await whilePosting()
  return [
    {
      measure: 'idle RSS; node with an HTTP listener',
      unit: 'MB',
      baseline: median(idle.listener),
      parley: median(idle.hub),
      target: { atMostTimes: 2.2 },
    },
    {
      measure: 'RSS with 100,000 messages; empty',
      unit: 'MB',
      baseline: median(used.empty),
      parley: median(used.long),
      target: { atMostMore: 15 },
    },
    {
      measure: 'RSS after 100,000 live posts; after 1,000',
      unit: 'MB',
      baseline: live.before,
      parley: live.after,
      target: { atMostMore: 15 },
    },
  ]

  async function idleMb(running: Running): Promise<number> {
    await running.url
    await pause(SETTLE_MS)
    const mb = running.rssMb()
    await running.stop()
    return mb
  }

  /** A person reads a page and answers one question of an agent. */
  async function usedMb(data: string): Promise<number> {
    const hub = start([PARLEY, 'stdio'], env({ PARLEY_DATA: data, PARLEY_SESSION: CONVERSATION }))
    const agent = attachAgent(hub)
    await agent.initialize()
    const timeline = await openTimeline(await hub.url)
    const welcome = timeline.frame('welcome')
    timeline.say({ type: 'hello', conversation: CONVERSATION })
    await welcome
    const page = timeline.frame('page')
    timeline.say({ type: 'read', key: 'page', conversation: CONVERSATION })
    await page
    const asked = timeline.entries(1)
    const replied = agent.sendMessage('Shall I go on?')
    const question = (await asked).find(({ body }) => body.kind === 'question')?.id
    const accepted = timeline.frame('accepted')
    timeline.say({ type: 'answer', key: `answer-${question}`, question, text: 'Yes' })
    await Promise.all([accepted, replied])
    await pause(SETTLE_MS)
    const mb = hub.rssMb()
    timeline.close()
    await hub.stop()
    return mb
  }

  async function whilePosting() {
    const hub = serve(emptyData(), env())
    const timeline = await openTimeline(await hub.url)
    const welcome = timeline.frame('welcome')
    timeline.say({ type: 'hello' })
    await welcome
    await postMany(timeline.socket, MANY / 100)
    await pause(SETTLE_MS)
    const before = hub.rssMb()
    for (let part = 0; part < PARTS; part++) await postMany(timeline.socket, MANY / PARTS)
    await pause(SETTLE_MS)
    const after = hub.rssMb()
    timeline.close()
    await hub.stop()
    return { before, after }
  }
}
