import { jsonIn } from '../../../protocol/text/json.ts'
import { calledTool } from '../../../protocol/tools/called-tool.ts'
import type { DecidedCall } from '../../../protocol/tools/decided-call.ts'
import type { PolicyDecision, ToolCallSubject } from '../../../protocol/tools/gateway.ts'
import { stepOf } from '../arguments.ts'
import { literally } from '../matching/glob.ts'
import { type Whose, whoseRule } from './always-rule.ts'

/** A rule that would have spared people questions, and what speaks for it. */
interface Suggestion {
  rule: Record<string, unknown>
  why: string
}

interface Call {
  arguments: Record<string, unknown>
  by: string
  conversation: string
  at: number
}

/** Fewer calls than this are no habit. */
const AGAIN_AND_AGAIN = 3
const MOST_VALUES = 5

/**
 * Rules for what was allowed again and again and is not allowed already. The same call is proposed as it is; calls that
 * differ only where nobody minded, by the folder that all of their files are in. What was ever denied is left alone.
 */
export function suggestRules(
  decided: readonly DecidedCall[],
  decide: (subject: ToolCallSubject) => PolicyDecision,
): Suggestion[] {
  const groups = Map.groupBy(decided, (call) => JSON.stringify([toolOf(call), call.asker, call.agent, call.folder]))
  return [...groups.values()].flatMap((group) => {
    const { asker: principal, agent, folder } = group[0] as DecidedCall
    const called = toolOf(group[0] as DecidedCall)
    const named = { ...called, ...whoseRule({ principal, agent, folder }) }
    const denied = callsOf(group, 'denied')
    const open = callsOf(group, 'approved').filter((call) => !isAllowed(call))
    const exact = [...Map.groupBy(open, keyOf)].filter(
      ([key, calls]) => calls.length >= AGAIN_AND_AGAIN && !denied.some((call) => keyOf(call) === key),
    )
    const known = new Set(exact.map(([key]) => key))
    const others = open.filter((call) => !known.has(keyOf(call)))
    const wide = denied.length === 0 && others.length >= AGAIN_AND_AGAIN ? inOneFolder(others) : undefined
    return [
      ...exact.map(([, calls]) => suggestion(named, sameAs(calls[0] as Call), calls)),
      ...(wide ? [suggestion(named, wide, others)] : []),
    ]

    function isAllowed(call: Call): boolean {
      const { arguments: args, conversation, at } = call
      const whose = { principal: principal ?? '', agent, folder }
      return decide({ ...called, arguments: args, ...whose, conversation, at }).decision === 'allow'
    }
  })
}

interface ArgumentPattern {
  arguments: Record<string, unknown>
  /** Those that may be anything. */
  free: string[]
}

function toolOf({ server, tool, tool_name }: DecidedCall): ReturnType<typeof calledTool> {
  return server !== undefined && tool !== undefined ? { server, tool } : calledTool(tool_name)
}

function callsOf(group: DecidedCall[], outcome: DecidedCall['outcome']): Call[] {
  return group.flatMap(({ input, outcome: became, by, conversation, at }) => {
    const value = jsonIn(input)
    if (became !== outcome || typeof value !== 'object' || value === null || Array.isArray(value)) return []
    return [{ arguments: value as Record<string, unknown>, by, conversation, at }]
  })
}

/** The same for the same arguments, in whatever order. */
function keyOf(call: Call): string {
  return JSON.stringify(Object.entries(call.arguments).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function sameAs(call: Call): ArgumentPattern {
  const entries = Object.entries(call.arguments)
  const kept = entries.filter(([, value]) => isPlain(value))
  return {
    arguments: Object.fromEntries(kept.map(([name, value]) => [stepOf(name), patternOf(value)])),
    free: entries.filter(([, value]) => !isPlain(value)).map(([name]) => name),
  }
}

/** Nothing where no argument is a file in a folder of its own. */
function inOneFolder(calls: Call[]): ArgumentPattern | undefined {
  const names = [...new Set(calls.flatMap((call) => Object.keys(call.arguments)))]
  const shared = names.map((name) => [name, commonTo(calls.map((call) => call.arguments[name]))] as const)
  if (!shared.some(([, common]) => typeof common === 'object' && common !== null && 'path' in common)) return undefined
  return {
    arguments: Object.fromEntries(
      shared.flatMap(([name, common]) => (common === undefined ? [] : [[stepOf(name), common]])),
    ),
    free: shared.filter(([, common]) => common === undefined).map(([name]) => name),
  }
}

function commonTo(values: unknown[]): unknown {
  const different = [...new Set(values)]
  if (different.every(isPath) && different.length > 1) {
    const folder = folderOf(different as string[])
    return folder && { path: `${literally(folder)}/**` }
  }
  if (!different.every(isPlain) || different.length > MOST_VALUES || different.length > values.length / 2)
    return undefined
  return different.length === 1 ? patternOf(different[0]) : different.map(patternOf)
}

function isPath(value: unknown): boolean {
  return typeof value === 'string' && value.startsWith('/') && !value.split('/').includes('..')
}

/** The deepest that all are in; at least two steps from the root, because above is everybody's. */
function folderOf(paths: string[]): string | undefined {
  const [first = [], ...rest] = paths.map((path) => path.split('/').slice(0, -1))
  const end = first.findIndex((step, n) => rest.some((steps) => steps[n] !== step))
  const common = end === -1 ? first : first.slice(0, end)
  return common.length > 2 ? common.join('/') : undefined
}

function isPlain(value: unknown): boolean {
  return value === null || (['string', 'number', 'boolean'].includes(typeof value) && value !== '')
}

function patternOf(value: unknown): unknown {
  return typeof value === 'string' ? literally(value) : value
}

function suggestion(
  { server, tool, ...whose }: ReturnType<typeof calledTool> & Whose,
  pattern: ArgumentPattern,
  calls: Call[],
): Suggestion {
  const rule = {
    server: literally(server),
    tool: literally(tool),
    arguments: Object.keys(pattern.arguments).length > 0 ? pattern.arguments : undefined,
    ...whose,
    decision: 'allow',
  }
  const people = [...new Set(calls.map(({ by }) => by))].join(', ')
  const places = new Set(calls.map(({ conversation }) => conversation)).size
  const where = places === 1 ? 'in one conversation' : `in ${places} conversations`
  const free = pattern.free.length > 0 ? `; with any ${pattern.free.join(', ')}` : ''
  return { rule, why: `Allowed ${calls.length} times by ${people}, ${where}, and never denied${free}` }
}
