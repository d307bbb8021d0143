import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { filesOf } from '../../chat/conversation/attached-hashes.ts'
import { openFiles } from '../../files/file-store.ts'
import type { Entry } from '../../protocol/entries/entry.ts'
import { ParleyError } from '../../protocol/errors.ts'
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
    const digest = createHash('sha256')
    try {
      await pipeline(files.find(file).open(), digest)
    } catch (error) {
      if (error instanceof ParleyError && error.code === 'unknown_file') return { problem: 'file_missing', file }
      throw error
    }
    return digest.digest('hex') === file ? undefined : { problem: 'file_changed', file }
  }
}
