import type { MountedCalls } from '../chat/mounted-calls.ts'
import type { Decided } from '../protocol/approval.ts'
import type { CallResult, Ending, MountedCall } from '../protocol/gateway.ts'
import type { KeptResult } from './kept-result.ts'

/** More is not kept: who wants to know what was written looks at what it was written to. */
const ARGUMENT_BYTES = 256 * 1024

interface CallLogParts {
  calls: Pick<MountedCalls, 'begin' | 'end'>
  keep(result: CallResult): Promise<KeptResult>
  report(error: unknown): void
}

/** What of a call does not change while it runs. */
export interface Logged {
  call_id: string
  conversation: string
  by: string
  server: string
  tool: string
  shown: string
  asker: string
  decided: Decided
  folder?: string
  /** The same when its line makes it again. */
  key?: string
}

export type CallLog = ReturnType<typeof createCallLog>

/** Writes down that a call begins and how it ends; secrets are left out where entries are stored. */
export function createCallLog({ calls, keep, report }: CallLogParts) {
  const writing = new Set<Promise<void>>()
  return { begin, end, endSoon, written: () => Promise.all(writing) }

  /** Resolves when it is durable. */
  async function begin({ conversation, shown: tool_name, folder, key, ...logged }: Logged, input: CallInput) {
    await calls.begin(
      conversation,
      { ...logged, tool_name, tool_args: argumentText(input) },
      { key: beginKey(key), folder },
    )
  }

  /** `isLate`: its caller has gone. */
  async function end(logged: Logged, ending: Ending, took: number, isLate = false) {
    const { conversation, shown: tool_name, by, server, call_id, decided } = logged
    const success = 'result' in ending && ending.result.isError !== true
    const kept = 'result' in ending ? await keep(ending.result) : { result: reasonIn(ending.error) }
    const duration_ms = Math.round(took)
    await calls.end(
      conversation,
      { by, tool_name, server, call_id, decided, success, duration_ms, ...kept, ...(isLate && { late: true }) },
      resultKey(call_id),
    )
  }

  /** Nobody waits for it. */
  function endSoon(...args: Parameters<typeof end>) {
    const written = end(...args)
      .catch(report)
      .finally(() => writing.delete(written))
    writing.add(written)
  }
}

type CallInput = MountedCall['subject']['arguments']

export function beginKey(key: string | undefined): string | undefined {
  return key && `call:${key}`
}

export function resultKey(call_id: string): string {
  return `result:${call_id}`
}

export function reasonIn(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function argumentText(input: unknown): string {
  const text = JSON.stringify(input)
  const bytes = Buffer.byteLength(text)
  return bytes > ARGUMENT_BYTES ? JSON.stringify({ 'too long to be kept': `${bytes} bytes` }) : text
}
