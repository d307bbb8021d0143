import { giveOrder } from '../../doors/socket/order.ts'
import { policyPath, policyText, told } from '../../governance/policy/file/policy-file.ts'
import { readPolicy } from '../../governance/policy/file/read-policy.ts'
import { summaryOf } from '../../governance/policy/file/summary.ts'
import { compilePolicy, type Policy } from '../../governance/policy/policy.ts'
import type { Rule } from '../../governance/policy/rule.ts'
import { ParleyError } from '../../protocol/errors.ts'
import { localPrincipal } from '../../protocol/principal.ts'
import { jsonIn } from '../../protocol/text/json.ts'
import { OWN_TOOLS } from '../../protocol/tools/called-tool.ts'
import { ToolAnnotations, type ToolCallSubject } from '../../protocol/tools/gateway.ts'
import { isMountedRequest, ONLY_READS } from '../../protocol/tools/mounted-requests.ts'
import { usage } from '../../protocol/usage.ts'
import { noMemory } from '../config.ts'
import type { Typed } from '../program.ts'
import { table } from '../table.ts'

const HELP = { help: 'parley policy test --help' }

export async function checkPolicy({ config: { data } }: Typed) {
  const { path, policy } = await readOwnPolicy(data)
  if (!policy) return console.log(`Without ${path}, what only reads is allowed and everything else asks first`)
  const { rules } = policy
  console.log(`${path}: ${counted(rules.length)}, nothing wrong`)
  if (rules.length === 0) return
  const rows = rules.map((rule) => [rule.id, String(rule.line), decisionOf(rule), summaryOf(rule)])
  console.log(`\n${table([['rule', 'line', 'decision', 'for'], ...rows])}`)
}

export async function testPolicy({ config: { data }, flags, words: [server = '', tool = '', args = '{}'] }: Typed) {
  const { bases, annotations } = await mountedAs(data, server, tool)
  const subject: ToolCallSubject = {
    server,
    tool,
    arguments: objectIn(args, 'The arguments of a call are'),
    annotations: flags.annotations === undefined ? annotations : annotationsIn(flags.annotations),
    principal: flags.as ?? localPrincipal('agent').id,
    agent: flags.as,
    folder: process.cwd(),
    conversation: flags.conversation,
    at: flags.at === undefined ? Date.now() : timeIn(flags.at),
    cwd: process.cwd(),
    bases,
    isOwn: server === OWN_TOOLS,
  }
  const { policy = compilePolicy([]) } = await readOwnPolicy(data)
  const { verdict, passed } = policy.explain(subject)
  const { decision, rule, reason } = verdict
  const by = rule ? `by rule ${rule.id} (line ${rule.line})` : 'by default'
  console.log([`${decision}, ${by}`, rule?.note, reason].filter(Boolean).join(': '))
  if (passed.length === 0) return
  console.log(`\n${rule ? 'The rules before it do' : 'The rules do'} not match:`)
  console.log(table(passed.map(({ rule, why }) => [`  ${rule.id}`, `line ${rule.line}`, why])))
}

/** The policy of a folder, without one nothing. Throws what is wrong with it. */
export async function readOwnPolicy(data: string): Promise<{ path: string; policy?: Policy }> {
  noMemory(data, 'it has no policy of its own')
  const path = policyPath(data)
  const text = policyText(path)
  if (text === undefined) return { path }
  const { rules, problems } = readPolicy(text)
  if (problems.length > 0) throw new ParleyError('policy_broken', { problem: told(path, problems) })
  return { path, policy: compilePolicy(rules) }
}

function decisionOf({ decision, off }: Rule): string {
  return off ? `${decision} (off)` : decision
}

function counted(rules: number): string {
  return rules === 1 ? '1 rule' : `${rules} rules`
}

/** What the server says of its tool and where it works, where a hub runs that has mounted it. */
async function mountedAs(data: string, server: string, tool: string): Promise<Mounted> {
  noMemory(data, 'it has no policy of its own')
  if (server === OWN_TOOLS) return { bases: [process.cwd()] }
  const told = await giveOrder(data, { order: 'mount', act: 'list' })
  const mounts = told && 'mounts' in told ? told.mounts : []
  const mount = mounts.find(({ name }) => name === server)
  if (isMountedRequest(tool)) return { bases: mount?.bases, annotations: ONLY_READS }
  return { bases: mount?.bases, annotations: mount?.fingerprints.find(({ name }) => name === tool)?.annotations }
}

type Mounted = Pick<ToolCallSubject, 'bases' | 'annotations'>

function objectIn(text: string, what: string): Record<string, unknown> {
  const value = jsonIn(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw usage(`${what} a JSON object, and ${text} is none`, HELP)
  return value as Record<string, unknown>
}

function annotationsIn(text: string): ToolAnnotations {
  const { data } = ToolAnnotations.safeParse(objectIn(text, 'Annotations are'))
  if (!data) throw usage(`Annotations are hints that are true or false, and ${text} has others`, HELP)
  return data
}

/** A time of this day, or of another one. */
function timeIn(text: string): number {
  const [, hour, minute] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text) ?? []
  const at = hour === undefined ? Date.parse(text) : new Date().setHours(Number(hour), Number(minute), 0, 0)
  if (Number.isNaN(at)) throw usage(`Invalid time ${text}; write 14:30 or 2026-11-16T14:30`, HELP)
  return at
}
