import type { Folder } from '../../export/folder.ts'
import { auditedCalls } from '../../governance/audit/calls.ts'
import { auditedChanges } from '../../governance/audit/changes.ts'
import type { Flags } from '../../line/flags.ts'
import { AUDIT_PATH, type AuditedCall } from '../../protocol/tools/audit.ts'
import { usage } from '../../protocol/usage.ts'
import { DECISIONS } from '../audit-commands.ts'
import { noMemory } from '../config.ts'
import { between, fitting } from '../filters.ts'
import { listedFor } from '../folder/owner-lines.ts'
import type { Typed } from '../program.ts'
import { plain, table } from '../table.ts'

const HELP = 'parley audit --help'

/** Reads from the hub of the folder if one runs, and else from the folder itself. */
export async function listCalls({ config: { data }, flags }: Typed) {
  noMemory(data, 'it keeps nothing that could be listed')
  const isWanted = filterOf(flags)
  const calls = await listedFor(data, { path: AUDIT_PATH, inFolder: (folder) => callsIn(folder, data), isWanted })
  calls.sort((a, b) => a.at - b.at)
  if (flags.json !== undefined) for (const call of calls) console.log(JSON.stringify(call))
  else if (calls.length === 0) console.error('No matching calls')
  else console.log(table([COLUMNS, ...calls.map(rowOf)]))
}

type Filter = (call: AuditedCall) => boolean

function filterOf({ conversation, server, tool, decision, by, since, until }: Flags): Filter {
  if (decision !== undefined && !DECISIONS.some((known) => decision === known || isDenial(decision)))
    throw usage(`Unknown decision ${decision}`, { wrong: decision, known: DECISIONS, help: HELP })
  const [isInTime, fitsBy] = [between(since, until, HELP), fitting(by)]
  const tests: Filter[] = [
    matching(conversation, (call) => call.conversation),
    matching(server, (call) => call.server),
    matching(tool, (call) => call.tool),
    (call) => fitsBy(call.by, call.rule),
    (call) => decision === undefined || call.decision === decision || (decision === 'deny' && isDenial(call.decision)),
    ({ at }) => isInTime(at),
  ]
  return (call) => tests.every((test) => test(call))
}

function isDenial(decision: string): boolean {
  return ['deny', 'deny_continue', 'deny_abort'].includes(decision)
}

function matching(pattern: string | undefined, of: (call: AuditedCall) => string | undefined): Filter {
  const fits = fitting(pattern)
  return (call) => fits(of(call))
}

async function* callsIn(folder: Folder, data: string): AsyncGenerator<AuditedCall> {
  yield* auditedCalls(folder.log)
  yield* auditedChanges(data)
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
