import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { filesOf } from '../../chat/conversation/attached-hashes.ts'
import { openFiles } from '../../files/file-store.ts'
import { attempt } from '../../io/attempt.ts'
import type { Entry } from '../../protocol/entries/entry.ts'
import { ifRefused } from '../../protocol/refusal.ts'
import type { AuditProblem } from '../../protocol/tools/audit.ts'

type Problem = Pick<AuditProblem, 'problem' | 'file'>

/** Whether the files are there that entries of calls name, and are what they were; each is read once. */
export function createKeptFiles(data: string) {
  const files = openFiles(data)
  const looked = new Map<string, Problem | undefined>()
  return { problemsOf }

  async function problemsOf({ body }: Entry): Promise<Problem[]> {
    const problems: Problem[] = []
    for (const file of filesOf(body)) {
      if (!looked.has(file)) looked.set(file, await lookAt(file))
      problems.push(...(looked.get(file) ? [looked.get(file) as Problem] : []))
    }
    return problems
  }

  async function lookAt(file: string): Promise<Problem | undefined> {
    const found = attempt(
      () => files.find(file),
      ifRefused(() => undefined, 'unknown_file'),
    )
    if (!found) return { problem: 'file_missing', file }
    const digest = createHash('sha256')
    await pipeline(found.open(), digest)
    return digest.digest('hex') === file ? undefined : { problem: 'file_changed', file }
  }
}
