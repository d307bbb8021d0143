import { compilePolicy } from '../src/policy/policy.ts'
import { readPolicy } from '../src/policy/read-policy.ts'
import type { ToolCallSubject } from '../src/protocol/gateway.ts'
import { median, type Result, written } from './statistics.ts'
import type { Workplace } from './workplace.ts'

const SIZES = { full: { rules: 1000, rounds: 2000 }, smallest: { rules: 10, rounds: 2 } }
const AT_MOST_US = 50

/** What a decision takes where the last of many rules decides, beside one where there is only that rule. */
export async function policy({ size }: Workplace): Promise<Result[]> {
  const { rules, rounds } = SIZES[size]
  const kinds: Record<string, (n: number) => Record<string, unknown>> = {
    'tools of many servers': (n) => ({ server: `server-${n}`, tool: `*_${n}` }),
    'commands of one tool': (n) => ({ server: 'files', arguments: { command: `git *${n}*` } }),
    'folders of one tool': (n) => ({ server: 'files', arguments: { path: { path: `/home/ada/projects/p${n}/**` } } }),
  }
  return Object.entries(kinds).map(([name, rule]) => ({
    measure: `decision with ${written(rules)} rules for ${name}; with one`,
    unit: 'µs',
    baseline: timed(rounds, [LAST]),
    parley: timed(rounds, [...Array.from({ length: rules - 1 }, (_, n) => ({ ...rule(n), decision: 'allow' })), LAST]),
    target: { atMostMore: AT_MOST_US },
  }))
}

const LAST = { server: 'files', decision: 'deny_continue' }

function timed(rounds: number, rules: Record<string, unknown>[]): number {
  const { decide } = compilePolicy(readPolicy(JSON.stringify({ rules })).rules)
  const times = Array.from({ length: rounds }, (_, n) => {
    const call = callOf(n)
    const started = performance.now()
    decide(call)
    return (performance.now() - started) * 1000
  })
  return median(times)
}

/** Each of another tool and about another file, so that nothing is known from the one before. */
function callOf(n: number): ToolCallSubject {
  const args = { command: `npm run build ${n}`, path: `/home/ada/elsewhere/src/file-${n}.ts` }
  return {
    server: 'files',
    tool: `write_${n % 200}`,
    arguments: args,
    principal: 'codex',
    at: n * 60_000,
    cwd: '/home/ada',
  }
}
