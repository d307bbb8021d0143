import { openAgent } from './agent.ts'
import { openAnsweringClient } from './bridge-client.ts'
import { noted, startNotingRunner } from './noting-runner.ts'
import { interleave, median, type Result } from './statistics.ts'
import { CONVERSATION, textOf } from './texts.ts'
import { openTimeline } from './timeline-client.ts'
import type { Workplace } from './workplace.ts'

const SIZES = { full: { calls: 20, warmUp: 3, rounds: 20 }, smallest: { calls: 2, warmUp: 0, rounds: 1 } }

/**
 * From a person's post until the agent that is driven has its prompt, beside the round trip of an agent that asks. Both
 * are warm, each with a hub of its own. The agent is one process for all prompts: this is about the way to it, not about
 * its start. Each post follows at once on the end of the turn before.
 */
export async function postToPrompt({ size, env, emptyData }: Workplace): Promise<Result[]> {
  const { calls, warmUp, rounds } = SIZES[size]
  const data = emptyData()
  const asking = await openAgent(env({ PARLEY_DATA: emptyData(), PARLEY_SESSION: 'asking' }))
  const person = await openAnsweringClient(asking.url, { waitForHistory: true })
  const runner = startNotingRunner(env({ PARLEY_DATA: data }), ['--conversation', CONVERSATION])
  const timeline = await openTimeline(await runner.url)
  await timeline.greet({ conversation: CONVERSATION })
  let posts = 0
  const sources = { roundTrip: () => times(askOnce), prompt: () => times(postOnce) }
  await interleave(warmUp, sources)
  const took = await interleave(rounds, sources)
  timeline.close()
  person.close()
  await runner.stop()
  await asking.running.stop()
  return [
    {
      measure: 'from a post to the prompt of a driven agent p50; round trip p50',
      unit: 'ms',
      baseline: median(took.roundTrip),
      parley: median(took.prompt),
      target: { atMostTimes: 2 },
    },
  ]

  async function times(once: (n: number) => Promise<number>): Promise<number[]> {
    const took: number[] = []
    for (let n = 0; n < calls; n++) took.push(await once(n))
    return took
  }

  async function askOnce(n: number): Promise<number> {
    const started = performance.now()
    await asking.sendMessage(textOf(n))
    return performance.now() - started
  }

  /** The clock is the same for both processes. */
  async function postOnce(n: number): Promise<number> {
    const prompted = noted(timeline)
    const said = process.hrtime.bigint()
    timeline.say({ type: 'post', key: `post-${++posts}`, conversation: CONVERSATION, text: textOf(n) })
    return Number((await prompted) - said) / 1e6
  }
}
