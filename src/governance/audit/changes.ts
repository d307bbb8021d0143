import type { AuditedCall } from '../../protocol/tools/audit.ts'
import { auditPath, linesIn, openIfThere } from './audit-file.ts'
import { linkIn } from './link.ts'

/** What people changed of the policy, told like calls: of the server `policy`. */
export async function* auditedChanges(data: string): AsyncGenerator<AuditedCall> {
  await using file = await openIfThere(auditPath(data), 'r')
  if (!file) return
  for await (const { text } of linesIn(file, (await file.stat()).size)) {
    const link = linkIn(text)
    if (!link || !('changed' in link)) continue
    const { at, by, changed, about } = link
    const told = { at, entries: [], conversation: '-', agent: by, server: 'policy', tool: changed, arguments: about }
    yield { ...told, decision: 'allow', by, success: true }
  }
}
