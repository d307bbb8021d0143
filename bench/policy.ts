import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { readPolicy } from '../src/governance/policy/file/read-policy.ts'
import { compilePolicy } from '../src/governance/policy/policy.ts'
import type { ToolCallSubject } from '../src/protocol/tools/gateway.ts'
import { quantile, type Result, written } from './statistics.ts'
import type { Workplace } from './workplace.ts'

const SIZES = { full: { rules: 100, rounds: 5000 }, smallest: { rules: 10, rounds: 2 } }

/** What a decision takes where the last of many rules decides, beside one where there is only that rule. */
export async function policy({ size, emptyData }: Workplace): Promise<Result[]> {
  const { rules, rounds } = SIZES[size]
  const project = join(emptyData(), 'projects', 'site')
  mkdirSync(join(project, 'src', 'pages'), { recursive: true })
  return Object.entries(kindsIn(project)).flatMap(([name, rule]) => {
    const many = Array.from({ length: rules - 1 }, (_, n) => ({ ...rule(n), decision: 'allow' }))
    const [one, all] = [[LAST], [...many, LAST]].map((rules) => timed(rounds, rules, project)) as [number[], number[]]
    return ([0.5, 0.99] as const).map((share) => ({
      measure: `decision with ${written(rules)} rules, ${name}, p${share * 100}; with one`,
      unit: 'µs' as const,
      baseline: quantile(one, share),
      parley: quantile(all, share),
      // Beyond that it is the machine that is measured.
      target: share === 0.5 ? { atMostMore: 250 } : undefined,
    }))
  })
}

type MakeRule = (n: number) => Record<string, unknown>

/** Each way in which people may come to many rules; those that begin or end as the call does are the hardest. */
function kindsIn(project: string): Record<string, MakeRule> {
  const ofFiles = (args: Record<string, unknown>) => ({ server: 'files', arguments: args })
  return {
    'each for another tool': (n) => ({ server: `server-${n}`, tool: `*_x${n}` }),
    '20 servers, by folder': (n) => ({
      server: n % 20 === 0 ? 'files' : `server-${n % 20}`,
      arguments: { path: { path: `${project}/p${n}/**` } },
    }),
    'one tool, by what is in a command': (n) => ofFiles({ command: `npm *x${n}*` }),
    'one tool, by how a command begins': (n) => ofFiles({ command: `npm run build x${n} *` }),
    'one tool, by how a command ends': (n) => ofFiles({ command: `npm run * x${n}` }),
    'one tool, by value': (n) => ofFiles({ command: [`npm run x${n}`, `npm test x${n}`], 'options.depth': n }),
    'one tool, by folder': (n) => ofFiles({ path: { path: `${project}/src/p${n}/**` } }),
    'one tool, by folder from where the agent works': (n) => ofFiles({ path: { path: `./src/p${n}/**` } }),
    'one tool, by the name of a file': (n) => ofFiles({ path: { path: `/**/file-x${n}.ts` } }),
    'one tool, by one of many paths': (n) => ofFiles({ 'edits.*.path': { path: `${project}/src/p${n}/**` } }),
    'one tool, by agent and conversation': (n) => ({
      server: 'files',
      principal: `codex-${n % 100}`,
      conversation: `c${n}*`,
    }),
    'one tool, by number': (n) => ofFiles({ size: { '>': 10_000 + n } }),
  }
}

const LAST = { server: 'files', decision: 'deny_continue' }

function timed(rounds: number, rules: Record<string, unknown>[], project: string): number[] {
  const { decide } = compilePolicy(readPolicy(JSON.stringify({ rules })).rules)
  return Array.from({ length: rounds }, (_, n) => {
    const call = callOf(n, project)
    const started = performance.now()
    decide(call)
    return (performance.now() - started) * 1000
  })
}

/** Each of another tool and about another file, so that nothing is known from the one before. */
function callOf(n: number, project: string): ToolCallSubject {
  const path = `${project}/src/pages/file-${n}.ts`
  return {
    server: 'files',
    tool: `write_${n % 200}`,
    arguments: {
      command: `npm run build ${n}`,
      path,
      edits: [{ path }, { path: `src/other-${n}.ts` }],
      options: { depth: -n },
      size: n,
    },
    principal: 'codex',
    conversation: `talk-${n % 50}`,
    at: n * 60_000,
    cwd: project,
    bases: [project],
  }
}
