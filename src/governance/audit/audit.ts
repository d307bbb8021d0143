import type { Log } from '../../log/views.ts'
import type { AuditVerified } from '../../protocol/tools/audit.ts'
import { auditedCalls } from './calls.ts'
import { auditedChanges } from './changes.ts'
import { openRecorder, type Recorder } from './recorder.ts'
import { verifyAudit } from './verify.ts'

interface AuditParts {
  data: string
  log: Log
  report(error: unknown): void
}

/** What the owner of a data folder is told of every call, and the chain that proves it. */
export async function openAudit({ data, log, report }: AuditParts) {
  // A hub whose chain is damaged works on; who verifies the chain is told.
  const recorder = await openRecorder({ data, log, report }).catch((error: unknown): Recorder | undefined => {
    report(error)
    return undefined
  })
  return {
    calls,
    verify,
    record: async (change: Parameters<Recorder['record']>[0]) => recorder?.record(change),
    forgetting: async (...about: Parameters<Recorder['forgetting']>) => recorder?.forgetting(...about),
    close: async () => recorder?.close(),
  }

  async function* calls(): AsyncGenerator<string> {
    for await (const call of auditedCalls(log)) yield `${JSON.stringify(call)}\n`
    for await (const change of auditedChanges(data)) yield `${JSON.stringify(change)}\n`
  }

  /** Verifies with everything that is in the log by now. */
  async function verify(head?: string): Promise<AuditVerified> {
    await recorder?.reached(await log.last())
    return verifyAudit({ data, log, head })
  }
}
