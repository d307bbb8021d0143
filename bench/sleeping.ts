import { COLLECTING, keptBy } from './collecting.ts'
import { noted, startNotingRunner } from './noting-runner.ts'
import { type Result, written } from './statistics.ts'
import { textOf } from './texts.ts'
import { openTimeline, type Timeline } from './timeline-client.ts'
import type { Workplace } from './workplace.ts'

const SIZES = { full: { few: 5, many: 50 }, smallest: { few: 1, many: 2 } }
const RUNNER = 'bench'
const LIMIT_MB = 1

/** What a runner keeps for conversations whose agents are asleep. */
export async function sleeping({ size, env, emptyData }: Workplace): Promise<Result[]> {
  const { few, many } = SIZES[size]
  const words = ['--name', RUNNER, '--max-sessions', '1', '--idle', '0']
  const runner = startNotingRunner(env({ PARLEY_DATA: emptyData() }), words, COLLECTING)
  const timeline = await openTimeline(await runner.url)
  await timeline.greet()
  // What the first ones load is there once.
  await begin(timeline, few, 'first')
  const before = await keptBy(runner)
  await begin(timeline, many, 'more')
  const after = await keptBy(runner)
  timeline.close()
  await runner.stop()
  return [
    {
      measure: `RSS of a runner for each of ${written(many)} sleeping conversations; limit`,
      unit: 'MB',
      baseline: LIMIT_MB,
      parley: (after.rssMb - before.rssMb) / many,
      target: { atMostTimes: 1 },
    },
    {
      measure: `heap of a runner for each of ${written(many)} sleeping conversations; limit`,
      unit: 'MB',
      baseline: LIMIT_MB,
      parley: (after.heapMb - before.heapMb) / many,
      target: { atMostTimes: 1 },
    },
  ]
}

/** One after the other: each wakes an agent and puts the one before to sleep. */
async function begin(timeline: Timeline, count: number, name: string) {
  for (let n = 0; n < count; n++) {
    const over = noted(timeline)
    timeline.say({ type: 'start', key: `${name}-${n}`, runner: RUNNER, text: textOf(n) })
    await over
  }
}
