import type { Clock } from '../../io/clock.ts'
import type { ConversationState } from '../../protocol/entries/fold.ts'
import { isRefusal } from '../../protocol/refusal.ts'

interface AbandonedParts {
  clock: Clock
  /** Resolves once it is known what is open. */
  ready: Promise<unknown>
  /** Those with a question open. */
  conversations(): string[]
  stateOf(conversation: string): Promise<ConversationState>
  /** Leaves what a call waits for. */
  withdraw(questions: string[], gone: true): Promise<void>
  report(error: unknown): void
}

/** A line whose hub was killed finds or starts the next one in this time, and makes its calls again. */
export const RETURNS_MS = 5000

/**
 * Approvals that a hub before this one left: their verdicts are of use to the calls that asked, and to nobody else, so
 * that those are withdrawn whose calls were not made again. Calls of mounted tools outlive their callers, and what
 * somebody drives is seen to by whoever drives it.
 */
export function createAbandoned({ clock, ready, conversations, stateOf, withdraw, report }: AbandonedParts) {
  return { withdrawAbandoned }

  /** Runs once, when the one hub of a log starts. */
  function withdrawAbandoned() {
    let alarm: { cancel(): void } | undefined
    let closed = false
    const left = ready.then(async () => {
      const found: string[] = []
      for (const conversation of conversations()) found.push(...approvalsIn(await stateOf(conversation)))
      if (found.length > 0 && !closed) alarm = clock.alarm(clock.now() + RETURNS_MS, () => void abandon(found))
    })
    return {
      /** Resolves once it is known what was left. */
      known: left.catch(told),
      close() {
        closed = true
        alarm?.cancel()
      },
    }
  }

  async function abandon(questions: string[]) {
    for (const question of questions) await withdraw([question], true).catch(told)
  }

  /** A hub may end before it knows everything, and a person may decide in the same moment. */
  function told(error: unknown) {
    if (!isRefusal(error, 'shutting_down', 'question_settled')) report(error)
  }
}

/** Nobody can tell whether the agent of a question without a visit, from an older Parley, is gone. */
function approvalsIn({ open }: ConversationState): string[] {
  const left = open.filter(({ approval, driven, visit }) => approval && !driven && visit !== undefined)
  // Calls of the gateway have an id, and are carried out whoever is gone.
  return left.filter(({ approval }) => approval?.call_id === undefined).map(({ id }) => id)
}
