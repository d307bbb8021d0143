import { literally } from '../../../src/protocol/text/literally.ts'
import type { MountState } from '../../../src/protocol/tools/gateway.ts'
import { READ } from '../../../src/protocol/tools/mounted-requests.ts'
import type { ToolView } from '../../../src/protocol/tools/views.ts'

/** The name for all servers that a view does not name. */
export const OTHERS = '*'
const ALL = '*'
const PROMPTS = 'prompts/get/*'

/** The part of a server that a view shows; `others`: nothing of its own. */
export type Seen = 'all' | 'some' | 'nothing' | 'others'

/** A tool that can be chosen, or a pattern that was. */
interface Choice {
  pattern: string
  shown: string
  chosen: boolean
}

export interface Row {
  server: string
  seen: Seen
  choices: Choice[]
}

/** Everything that there is to choose: what is mounted, what the view names besides, and all others. */
export function rowsOf({ servers }: Pick<ToolView, 'servers'>, mounts: readonly MountState[]): Row[] {
  const names = [...mounts.map(({ name }) => name), ...Object.keys(servers)].filter((name) => name !== OTHERS)
  return [...new Set(names), OTHERS].map((server) => {
    const tools = mounts.find(({ name }) => name === server)?.fingerprints ?? []
    const patterns = Object.hasOwn(servers, server) ? (servers[server] ?? []) : undefined
    return { server, seen: seenBy(patterns, server), choices: choicesOf(tools, patterns ?? [], server) }
  })
}

/** Rows with the servers that are mounted by now; choices stay. */
export function withMounted(rows: readonly Row[], mounts: readonly MountState[]): Row[] {
  const chosen = rows.map(({ server, choices }) => [server, patternsIn(choices)])
  return rowsOf({ servers: Object.fromEntries(chosen) }, mounts).map((row) => {
    const { seen = row.server === OTHERS ? 'nothing' : 'others' } =
      rows.find(({ server }) => server === row.server) ?? {}
    return { ...row, seen }
  })
}

function patternsIn(choices: readonly Choice[]): string[] {
  return choices.filter(({ chosen }) => chosen).map(({ pattern }) => pattern)
}

function seenBy(patterns: readonly string[] | undefined, server: string): Seen {
  if (!patterns) return server === OTHERS ? 'nothing' : 'others'
  if (patterns.includes(ALL)) return 'all'
  return patterns.length === 0 ? 'nothing' : 'some'
}

function choicesOf(tools: readonly { name: string }[], patterns: readonly string[], server: string): Choice[] {
  const named = [
    ...tools.map(({ name }) => ({ pattern: literally(name), shown: name })),
    ...(server === OTHERS ? [] : [{ pattern: READ, shown: 'Its resources' }]),
    ...(server === OTHERS ? [] : [{ pattern: PROMPTS, shown: 'Its prompts' }]),
  ]
  const more = patterns.filter((one) => one !== ALL && named.every(({ pattern }) => pattern !== one))
  const all = [...named, ...more.map((pattern) => ({ pattern, shown: pattern }))]
  return all.map((one) => ({ ...one, chosen: patterns.includes(one.pattern) }))
}

/** The view as it stands in the file of mounts. */
export function serversFrom(rows: readonly Row[]): ToolView['servers'] {
  return Object.fromEntries(
    rows.flatMap(({ server, seen, choices }): [string, string[]][] => {
      if (seen === 'others' || (server === OTHERS && seen === 'nothing')) return []
      return [[server, seen === 'all' ? [ALL] : seen === 'nothing' ? [] : patternsIn(choices)]]
    }),
  )
}

/** The agents that a view means, in words. */
export function whomInWords({ agent, folder, token }: ToolView): string {
  const parts = [
    agent ?? 'Every agent',
    ...(token === undefined ? [] : [`with the token ${token}`]),
    ...(folder === undefined ? [] : [folder === '' ? 'in no known folder' : `in ${folder}`]),
  ]
  return parts.join(' ')
}

export function seenInWords({ servers }: ToolView): string {
  const { [OTHERS]: others = [], ...named } = servers
  const parts = Object.entries(named).map(([server, tools]) => `${server} (${toolsInWords(tools)})`)
  const rest = others.length === 0 ? 'no other server' : `every other server (${toolsInWords(others)})`
  return parts.length === 0 && others.length === 0 ? 'nothing' : [...parts, rest].join(', ')
}

function toolsInWords(tools: readonly string[]): string {
  if (tools.includes(ALL)) return 'everything'
  return tools.length === 0 ? 'nothing' : tools.map(nameInWords).join(', ')
}

function nameInWords(pattern: string): string {
  if (pattern === READ) return 'resources'
  return pattern === PROMPTS ? 'prompts' : pattern
}
