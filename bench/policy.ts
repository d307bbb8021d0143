import { compilePolicy } from '../src/policy/policy.ts'
import { readPolicy } from '../src/policy/read-policy.ts'
import type { ToolCallSubject } from '../src/protocol/gateway.ts'
import { median, type Result, written } from './statistics.ts'
import type { Workplace } from './workplace.ts'

const SIZES = { full: { rules: 1000, rounds: 2000 }, smallest: { rules: 10, rounds: 2 } }

/**
 * What a decision takes where the last of many rules decides, beside one where there is only that rule. Rules that are
 * all about one tool are each looked at, which is to be known and not what policies look like.
 */
export async function policy({ size }: Workplace): Promise<Result[]> {
  const { rules, rounds } = SIZES[size]
  return Object.entries(KINDS).map(([name, { rule, target }]) => ({
    measure: `decision with ${written(rules)} rules, ${name}; with one`,
    unit: 'µs',
    baseline: timed(rounds, [LAST]),
    parley: timed(rounds, [...Array.from({ length: rules - 1 }, (_, n) => ({ ...rule(n), decision: 'allow' })), LAST]),
    target,
  }))
}

interface Kind {
  rule(n: number): Record<string, unknown>
  target?: Result['target']
}

const TARGET = { atMostMore: 50 }
const inFolder = (n: number) => ({ path: { path: `/home/ada/projects/p${n}/**` } })
const KINDS: Record<string, Kind> = {
  'each for another tool': { rule: (n) => ({ server: `server-${n}`, tool: `*_${n}` }), target: TARGET },
  '20 servers, by folder': {
    rule: (n) => ({ server: n % 20 === 0 ? 'files' : `server-${n % 20}`, arguments: inFolder(n) }),
    target: TARGET,
  },
  'one tool, by command': { rule: (n) => ({ server: 'files', arguments: { command: `git *${n}*` } }) },
  'one tool, by folder': { rule: (n) => ({ server: 'files', arguments: inFolder(n) }) },
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
