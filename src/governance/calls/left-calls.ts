import type { MountedCalls } from '../../chat/approvals/mounted-calls.ts'
import { createQueue } from '../../io/queue.ts'
import { ParleyError } from '../../protocol/errors.ts'
import type { CallLog } from './call-log.ts'
import { denialOf } from './words.ts'

interface LeftCallsParts {
  calls: Pick<MountedCalls, 'owed' | 'stateOf' | 'entry' | 'isGone' | 'onGone'>
  log: Pick<CallLog, 'end'>
  /** Runs what is decided and nobody waits for. */
  flyAlone(id: string): void
  /** Tells the caller of a call that is over. */
  tell(id: string): Promise<void>
  onceWritten(id: string, act: () => Promise<void>): Promise<void>
  report(error: unknown): void
}

/** Takes over the calls of hubs that are gone: the one before this one, or another one on the same log. */
export function createLeftCalls({ calls, log, flyAlone, tell, onceWritten, report }: LeftCallsParts) {
  const turns = createQueue()
  const following = calls.onGone(() => void resume().catch(report))
  return { resume, close: () => following.close() }

  function resume(): Promise<void> {
    return turns.add(takeOver)
  }

  async function takeOver() {
    for (const [id, { phase, hub }] of calls.owed()) {
      if (!calls.isGone(hub)) continue
      flyAlone(id)
      if (phase === 'started') await doubt(id).catch(report)
      if (phase === 'done') await tell(id)
    }
  }

  /** It was begun with, and nobody wrote down how it ended: what may have run is in doubt. */
  async function doubt(id: string) {
    const { conversation = '', question, begun = '' } = calls.stateOf(id) ?? {}
    const body = (await calls.entry(begun))?.body
    if (body?.kind !== 'tool_call') return
    const { tool_name: shown, by, server = '', tool = '', asker = '', folder, visit } = body
    const { decided = { decision: 'allow' } } = body
    const isDenied = decided.decision !== 'allow'
    const error = isDenied ? denialOf(decided) : new ParleyError('call_in_doubt', { tool: shown })
    const logged = { call_id: id, conversation, by, server, tool, shown, asker, folder, visit, decided }
    await log.end(logged, { error }, 0, question !== undefined)
    await onceWritten(id, () => tell(id))
  }
}
