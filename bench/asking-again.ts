import { connectAgent } from './mcp-agent.ts'
import { serve } from './process.ts'
import { interleave, median, type Result, written } from './statistics.ts'
import { CONVERSATION } from './texts.ts'
import { openTimeline } from './timeline-client.ts'
import type { Workplace } from './workplace.ts'

const SIZES = {
  full: { length: 100_000, warmUp: 1, rounds: 9 },
  smallest: { length: 20, warmUp: 0, rounds: 1 },
}

/** An agent's call is lost, the person answers, the hub is started again: from the same call to that answer. */
export async function askingAgain({ size, env, emptyData, dataWith }: Workplace): Promise<Result[]> {
  const { length, warmUp, rounds } = SIZES[size]
  const data = { empty: emptyData(), long: await dataWith(length) }
  let asked = 0
  const sources = { empty: () => askAgain(data.empty), long: () => askAgain(data.long) }
  await interleave(warmUp, sources)
  const { empty, long } = await interleave(rounds, sources)
  return [
    {
      measure: `the same question after a restart with ${written(length)}; empty`,
      unit: 'ms',
      baseline: median(empty),
      parley: median(long),
      target: { atMostTimes: 1.5 },
    },
  ]

  async function askAgain(data: string): Promise<number> {
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
    await timeline.greet()
    const agent = await connectAgent(url, CONVERSATION)
    const question = timeline.entryWhere(({ body }) => body.kind === 'question' && body.text === text)
    const gone = timeline.agentIs('backgrounded')
    const lost = agent.loseCall(text)
    const { id } = await question
    await agent.close()
    await Promise.all([lost, gone])
    await timeline.ask('accepted', { type: 'answer', key: text, question: id, text: 'Yes' })
    timeline.close()
    await hub.stop()
  }
}
