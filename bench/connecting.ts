import { PARLEY, start } from './process.ts'
import { interleave, median, type Result } from './statistics.ts'
import type { Workplace } from './workplace.ts'

const SIZES = { full: { warmUp: 2, rounds: 31 }, smallest: { warmUp: 1, rounds: 1 } }
const CLIENTS = ['codex', 'gemini', 'qwen', 'opencode', 'copilot', 'kimi', 'pi', 'cline', 'continue', 'claude']

/** What a person waits for who asks what would change. */
export async function connecting({ size, env }: Workplace): Promise<Result[]> {
  const { warmUp, rounds } = SIZES[size]
  const sources = {
    node: () => start(['-e', '0'], env()).exited,
    connect: () => start([PARLEY, 'connect', ...CLIENTS, '--print'], env()).exited,
  }
  await interleave(warmUp, sources)
  const took = await interleave(rounds, sources)
  return [
    {
      measure: `connect --print for ${CLIENTS.length} clients; node -e 0`,
      unit: 'ms',
      baseline: median(took.node),
      parley: median(took.connect),
      target: { atMostTimes: 4 },
    },
  ]
}
