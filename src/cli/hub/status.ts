import { isClosed } from '../../doors/http/access/closed-folder.ts'
import { openTokens } from '../../doors/http/access/open-tokens.ts'
import type { HubStatus } from '../../protocol/frames/link.ts'
import type { PolicyNews } from '../../protocol/tools/policy.ts'
import { type Config, noMemory } from '../config.ts'
import type { Typed } from '../program.ts'
import { table } from '../table.ts'
import { modeOf } from './mode.ts'
import { runningHub } from './running-hub.ts'

export async function status({ config }: Typed) {
  const { data } = config
  noMemory(data)
  const hub = await runningHub(data)
  if (!hub) process.exitCode = 1
  console.log(hub ? told(hub, data) : noneRuns(config))
}

function noneRuns(config: Config): string {
  const { data } = config
  return `No hub is running for ${data}; the first agent starts one, and so does parley open\nIt is ${modeOf(openTokens(config).exist() || isClosed(data))}`
}

function told(hub: HubStatus, data: string): string {
  const { url, more_ports, version, pid, since, lines, agents, pages, policy } = hub
  const facts = [
    ['data', data],
    ...more_ports.map((port) => ['also at', url.replace(/\d+$/, `${port}`)]),
    ...(hub.protected === undefined ? [] : [['mode', modeOf(hub.protected)]]),
    ['since', `${new Date(since).toLocaleString('sv')} (${lasting(since)})`],
    ['version', `${version}, process ${pid}`],
    ['stays', staying(hub)],
    ['pages', pages === 0 ? 'none open' : `${pages} open`],
    ['agents', lines.length + agents.length === 0 ? 'none' : `${lines.length} by stdio, ${agents.length} by HTTP`],
    ...(policy ? policyFacts(policy) : []),
  ]
  const present = [
    ...lines.map((line) => [line.client ?? '(not said yet)', line.conversation, line.folder, lasting(line.since)]),
    ...agents.map((conversation) => ['(by HTTP)', conversation]),
  ]
  const parts = [`A hub runs at ${url}`, shown(facts)]
  if (present.length > 0) parts.push('', shown([['client', 'conversation', 'folder', 'for'], ...present]))
  return parts.join('\n')
}

function policyFacts({ rules, problem }: PolicyNews): string[][] {
  const problems = problem?.split('\n').map((line) => ['', line]) ?? []
  const counted = rules === 1 ? '1 rule' : `${rules} rules`
  return [['policy', problem === undefined ? counted : `${counted}, and a file that cannot be used:`], ...problems]
}

function staying({ keep_seconds, lines, agents, pages }: HubStatus): string {
  if (keep_seconds === undefined) return 'until it is stopped'
  const alone = lines.length + agents.length + pages === 0
  return alone
    ? `at most ${keep_seconds} s more, unless somebody comes`
    : `until ${keep_seconds} s after everybody is gone`
}

const UNITS: [name: string, ms: number][] = [
  ['d', 24 * 60 * 60_000],
  ['h', 60 * 60_000],
  ['min', 60_000],
  ['s', 1000],
]

/** The time since then, in its two largest units. */
function lasting(since: number): string {
  const ms = Date.now() - since
  const first = UNITS.findIndex(([, unit]) => ms >= unit)
  if (first < 0) return '0 s'
  let rest = ms
  const told = UNITS.slice(first, first + 2).map(([name, unit]) => {
    const whole = Math.floor(rest / unit)
    rest -= whole * unit
    return [whole, name] as const
  })
  return told.flatMap(([whole, name]) => (whole > 0 ? [`${whole} ${name}`] : [])).join(' ')
}

/** A client's name for itself must not move the cursor. */
function shown(rows: string[][]): string {
  return table(rows.map((row) => row.map((cell) => cell.replace(/\p{Cc}+/gu, ' ').trimEnd())))
}
