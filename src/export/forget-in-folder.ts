import { existsSync } from 'node:fs'
import { createChat } from '../chat/chat.ts'
import type { ChatServiceParts } from '../chat/chat-service.ts'
import { logFile, openLog } from '../chat/conversation/open-log.ts'
import { findConversation } from '../chat/reading/find-conversation.ts'
import { searchText } from '../chat/reading/search-place.ts'
import { openFiles } from '../files/file-store.ts'
import { openAudit } from '../governance/audit/audit.ts'
import { ParleyError } from '../protocol/errors.ts'
import { localPrincipal } from '../protocol/principal.ts'

type Audit = Awaited<ReturnType<typeof openAudit>>

/** Forgets a conversation of a folder that no hub uses, and what else names it. Resolves when nothing is left of it. */
export async function forgetInFolder(
  data: string,
  name: string,
  elsewhere?: (audit: Pick<Audit, 'record'>) => ChatServiceParts['forgotten'],
): Promise<true> {
  if (!existsSync(logFile(data))) throw new ParleyError('no_log', { data })
  const log = await openLog(data, searchText())
  const failure = Promise.withResolvers<never>()
  failure.promise.catch(() => {})
  const { reject: failed } = failure
  const audit = await openAudit({ data, log, report: failed })
  const { forgetting } = audit
  const files = openFiles(data)
  const forgotten = elsewhere?.(audit)
  const chat = createChat({
    journal: log,
    views: log,
    notes: log.notes,
    files,
    forgetting,
    forgotten,
    report: failed,
    failed,
  })
  try {
    const view = chat.as(localPrincipal('admin'))
    const { id } = await findConversation(view, name)
    try {
      await view.forget(id)
    } finally {
      await Promise.race([chat.erased(), failure.promise])
    }
    return true
  } finally {
    await audit.close()
    await chat.close()
  }
}
