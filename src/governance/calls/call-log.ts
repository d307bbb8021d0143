import type { MountedCalls } from '../../chat/approvals/mounted-calls.ts'
import { pauseUntil } from '../../io/pause.ts'
import type { Decided } from '../../protocol/entries/approval.ts'
import { isOfDisk } from '../../protocol/refusal.ts'
import { messageOf } from '../../protocol/text/message-of.ts'
import type { Ending, MountedCall } from '../../protocol/tools/gateway.ts'
import type { Keeping } from './keeping.ts'

const RETRY_MS = 1000

interface CallLogParts extends Pick<Keeping, 'keep' | 'keepInput'> {
  calls: Pick<MountedCalls, 'begin' | 'end'>
  report(error: unknown): void
}

/** The part of a call that does not change while it runs. */
export interface Logged {
  call_id: string
  conversation: string
  by: string
  server: string
  tool: string
  shown: string
  asker: string
  folder?: string
  visit?: string
  decided: Decided
  /** What the conversation is called, and where its agent works, when this begins it. */
  naming?: { title?: string; folder?: string }
  /** The same when its line makes it again, and whether this is such a call. */
  key?: string
  isRepeated?: boolean
  /** A person was asked about it: its caller may come again for what it brought. */
  wasAsked?: boolean
}

export type CallLog = ReturnType<typeof createCallLog>

/** How a call ended, while the disk takes nothing. */
interface Unwritten {
  ending: Ending
  written: Promise<void>
}

/** Writes down that a call begins and how it ends; secrets are left out where entries are stored. */
export function createCallLog({ calls, keep, keepInput, report }: CallLogParts) {
  const writing = new Set<Promise<void>>()
  const unwritten = new Map<string, Unwritten>()
  const closing = new AbortController()
  return {
    begin,
    end,
    endSoon,
    /** The result of a call of which the disk does not know yet. */
    unwritten: (call_id: string): Readonly<Unwritten> | undefined => unwritten.get(call_id),
    close,
  }

  /** Resolves when it is durable. */
  async function begin(about: Logged, input: CallInput) {
    const { conversation, shown: tool_name, naming, key, isRepeated, wasAsked, ...logged } = about
    const how = { key, isRepeated, wasAsked, ...naming }
    await calls.begin(conversation, { ...logged, tool_name, ...(await keepInput(input)) }, how)
  }

  /**
   * The ending is written, or kept until it can be: what a call brought is its caller's whatever the disk does.
   * `isLate`: that one has gone.
   */
  async function end(logged: Logged, ending: Ending, took: number, isLate = false) {
    const { call_id } = logged
    const first = tryToWrite()
    const written = first.then((isWritten) => (isWritten ? undefined : writeLater()))
    unwritten.set(call_id, { ending, written: written.finally(() => unwritten.delete(call_id)) })
    if (await first) await written

    function tryToWrite(): Promise<boolean> {
      return write(logged, ending, took, isLate).then(
        () => true,
        (error) => {
          if (isOfDisk(error) && !closing.signal.aborted) return false
          report(error)
          return true
        },
      )
    }

    async function writeLater() {
      do await pauseUntil(RETRY_MS, closing.signal)
      while (!(await tryToWrite()))
    }
  }

  async function write(logged: Logged, ending: Ending, took: number, isLate: boolean) {
    const { conversation, shown: tool_name, by, server, call_id, decided, key, wasAsked } = logged
    const isWhole = wasAsked || key !== undefined
    const success = 'result' in ending && ending.result.isError !== true
    const kept = 'result' in ending ? await keep(ending.result, { isWhole }) : { result: messageOf(ending.error) }
    const duration_ms = Math.round(took)
    const ended = { by, tool_name, server, call_id, decided, success, duration_ms, ...kept }
    await calls.end(conversation, { ...ended, ...(isLate && { late: true }) })
  }

  /** Nobody waits for it. */
  function endSoon(...args: Parameters<typeof end>) {
    const written = end(...args).finally(() => writing.delete(written))
    writing.add(written)
  }

  /** What can be written is; a disk that takes nothing is waited for no longer. */
  async function close() {
    await Promise.all(writing)
    closing.abort()
    await Promise.all([...unwritten.values()].map(({ written }) => written))
  }
}

type CallInput = MountedCall['subject']['arguments']
