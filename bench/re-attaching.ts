import { connectAgent } from './mcp-agent.ts'
import { CONVERSATION } from './prefill.ts'
import { serve } from './process.ts'
import { interleave, median, type Result } from './statistics.ts'
import { openTimeline } from './timeline-client.ts'
import type { Workplace } from './workplace.ts'

const ROUNDS = 9
const LONG = 100_000

/** An agent's call is lost, the person answers, the hub is started again: from the same call to that answer. */
export async function reAttaching({ env, emptyData, dataWith }: Workplace): Promise<Result[]> {
  const data = { empty: emptyData(), long: await dataWith(LONG) }
  let asked = 0
  const sources = { empty: () => reAttach(data.empty), long: () => reAttach(data.long) }
  await interleave(1, sources)
  const { empty, long } = await interleave(ROUNDS, sources)
  return [
    {
      measure: 're-attach after a restart with 100,000; empty',
      unit: 'ms',
      baseline: median(empty),
      parley: median(long),
      target: { atMostTimes: 1.5 },
    },
  ]

  async function reAttach(data: string): Promise<number> {
    const text = `Question ${++asked}?`
    await leaveAnswered(data, text)
    const hub = serve(data, env())
    const agent = await connectAgent(await hub.url, CONVERSATION)
    const started = performance.now()
    await agent.ask(text)
    const took = performance.now() - started
    await agent.close()
    await hub.stop()
    return took
  }

  async function leaveAnswered(data: string, text: string) {
    const hub = serve(data, env())
    const url = await hub.url
    const timeline = await openTimeline(url)
    const welcome = timeline.frame('welcome')
    timeline.say({ type: 'hello' })
    await welcome
    const agent = await connectAgent(url, CONVERSATION)
    const question = timeline.entryWhere(({ body }) => body.kind === 'question' && body.text === text)
    const gone = timeline.agentIs('backgrounded')
    agent.ask(text).catch(() => {})
    const { id } = await question
    await agent.close()
    await gone
    const answered = timeline.frame('accepted')
    timeline.say({ type: 'answer', key: text, question: id, text: 'Yes' })
    await answered
    timeline.close()
    await hub.stop()
  }
}
