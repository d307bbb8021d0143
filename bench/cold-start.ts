import { speakAs } from './agent.ts'
import { PARLEY, start } from './process.ts'
import { interleave, median, type Result } from './statistics.ts'
import type { Workplace } from './workplace.ts'

const SIZES = { full: { rounds: 21 }, smallest: { rounds: 1 } }

/** From spawn to the answer to `initialize`, with a warm compile cache; an agent's user waits for it. */
export async function coldStart(workplace: Workplace): Promise<Result[]> {
  const env = workplace.env({ PARLEY_DATA: workplace.emptyData() })
  await firstAnswer()
  const { node, parley } = await interleave(SIZES[workplace.size].rounds, {
    node: () => start(['-e', '0'], env).exited,
    parley: firstAnswer,
  })
  return [
    {
      measure: 'cold start to initialize; node -e 0',
      unit: 'ms',
      baseline: median(node),
      parley: median(parley),
      target: { atMostTimes: 3.2 },
    },
  ]

  async function firstAnswer() {
    const running = start([PARLEY, 'stdio'], env)
    await speakAs(running).initialize()
    const took = performance.now() - running.started
    // Only then has it also written the compile cache.
    await running.url
    await running.stop()
    return took
  }
}
