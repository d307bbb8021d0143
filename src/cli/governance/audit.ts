import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { openFolder } from '../../export/folder.ts'
import { auditedCalls } from '../../governance/audit/calls.ts'
import { auditedChanges } from '../../governance/audit/changes.ts'
import { compileGlob } from '../../governance/policy/matching/glob.ts'
import type { Flags } from '../../line/flags.ts'
import { AUDIT_PATH, type AuditedCall } from '../../protocol/tools/audit.ts'
import { usage } from '../../protocol/usage.ts'
import { DECISIONS } from '../audit-commands.ts'
import { noMemory } from '../config.ts'
import { hubOrFolder } from '../folder/hub-or-folder.ts'
import { ownerGet } from '../folder/owner-get.ts'
import type { Typed } from '../program.ts'
import { table } from '../table.ts'

const HELP = { help: 'parley audit --help' }
const UNIT_MS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Reads from the hub of the folder if one runs, and else from the folder itself. */
export async function listCalls({ config: { data }, flags }: Typed) {
  noMemory(data, 'it keeps nothing that could be listed')
  const isWanted = filterOf(flags)
  const calls = await hubOrFolder(
    () => fromHub(data, isWanted),
    () => fromFolder(data, isWanted),
  )
  calls.sort((a, b) => a.at - b.at)
  if (flags.json !== undefined) for (const call of calls) console.log(JSON.stringify(call))
  else if (calls.length === 0) console.error('There are no such calls')
  else console.log(table([COLUMNS, ...calls.map(rowOf)]))
}

type Filter = (call: AuditedCall) => boolean

function filterOf({ conversation, server, tool, decision, by, since, until }: Flags): Filter {
  if (decision !== undefined && !DECISIONS.some((known) => decision === known || isDenial(decision)))
    throw usage(`There is no decision ${decision}`, { wrong: decision, known: DECISIONS, ...HELP })
  const [from, to] = [since, until].map((text) => (text === undefined ? undefined : timeIn(text)))
  const tests: Filter[] = [
    matching(conversation, (call) => [call.conversation]),
    matching(server, (call) => [call.server]),
    matching(tool, (call) => [call.tool]),
    matching(by, (call) => [call.by, call.rule]),
    (call) => decision === undefined || call.decision === decision || (decision === 'deny' && isDenial(call.decision)),
    ({ at }) => (from === undefined || at >= from) && (to === undefined || at < to),
  ]
  return (call) => tests.every((test) => test(call))
}

function isDenial(decision: string): boolean {
  return ['deny', 'deny_continue', 'deny_abort'].includes(decision)
}

function matching(pattern: string | undefined, of: (call: AuditedCall) => (string | undefined)[]): Filter {
  if (pattern === undefined) return () => true
  const { fits } = compileGlob(pattern)
  return (call) => of(call).some((text) => text !== undefined && fits(text))
}

/** A moment, or how long ago. */
function timeIn(text: string): number {
  const [, n, unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? []
  const at = n === undefined ? Date.parse(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00` : text) : undefined
  const time = at ?? Date.now() - Number(n) * (UNIT_MS[unit] ?? 0)
  if (Number.isNaN(time)) throw usage(`Invalid time ${text}; write 2026-11-16, 2026-11-16T14:30 or 12h`, HELP)
  return time
}

async function fromHub(data: string, isWanted: Filter): Promise<AuditedCall[] | undefined> {
  const chunks = await ownerGet(data, AUDIT_PATH)
  if (!chunks) return undefined
  const calls: AuditedCall[] = []
  for await (const line of createInterface({ input: Readable.from(chunks) })) {
    if (line === '') continue
    const call = JSON.parse(line) as AuditedCall
    if (isWanted(call)) calls.push(call)
  }
  return calls
}

async function fromFolder(data: string, isWanted: Filter): Promise<AuditedCall[]> {
  const folder = await openFolder(data)
  try {
    const calls: AuditedCall[] = []
    for await (const call of auditedCalls(folder.log)) if (isWanted(call)) calls.push(call)
    for await (const change of auditedChanges(data)) if (isWanted(change)) calls.push(change)
    return calls
  } finally {
    await folder.close()
  }
}

const COLUMNS = ['time', 'agent', 'conversation', 'tool', 'decision', 'by', 'outcome', 'took']

function rowOf({ at, agent, conversation, server, tool, decision, by, rule, always, ...ended }: AuditedCall): string[] {
  const { success, duration_ms } = ended
  const decider = [rule === undefined ? by : `rule ${rule}`, always && '(always)'].filter(Boolean).join(' ')
  const outcome = success === undefined ? '-' : success ? 'ok' : 'failed'
  const took = duration_ms === undefined ? '-' : `${duration_ms} ms`
  const time = new Date(at).toLocaleString('sv')
  return [time, agent, conversation, `${server}/${tool}`, decision, decider || '-', outcome, took].map(plain)
}

/** Names are of others: nothing in them steers the terminal. */
function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '\ufffd')
}
