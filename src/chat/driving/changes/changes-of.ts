import { BEFORE_ALL, type FileChange } from '../../../protocol/entries/entry.ts'
import type { Changes } from '../../../protocol/frames/changes.ts'
import type { Reading } from '../../reading/reading.ts'
import type { Leases } from '../leases.ts'
import { mergedEdits } from './merged-edits.ts'
import type { Requests } from './requests.ts'

interface ChangesParts {
  leases: Pick<Leases, 'leaseOf'>
  requests: Pick<Requests, 'ask'>
  page: Reading['page']
}

const PAGE = 200
const MOST_ENTRIES = 20_000

/** What an agent changed: its runner knows, which is asked about its own folder; else what it told of its edits. */
export function createChangesOf({ leases, requests, page }: ChangesParts) {
  return { changes }

  async function changes(conversation: string, path?: string): Promise<Changes> {
    const lease = await leases.leaseOf(conversation)
    const answer = lease && (await requests.ask(lease, { type: 'changes', session_id: conversation, path }))
    return answer?.changes ?? reported(conversation, lease !== undefined && answer === undefined)
  }

  async function reported(conversation: string, isSilent: boolean): Promise<Changes> {
    const told: FileChange[] = []
    let looked = 0
    let has_newer = true
    for (let after = BEFORE_ALL; has_newer && looked < MOST_ENTRIES; looked += PAGE) {
      const found = await page(conversation, { after, limit: PAGE })
      for (const { body } of found.entries)
        if (body.kind === 'tool_result' && body.success && body.changes) told.push(...body.changes)
      after = found.entries.at(-1)?.id ?? after
      has_newer = found.has_newer
    }
    const left_out = [
      isSilent && 'The runner did not answer: these are only the edits that the agent reported',
      has_newer && `Only the first ${MOST_ENTRIES.toLocaleString('en')} entries of the conversation were looked at`,
    ].filter((sentence) => sentence !== false)
    return { against: 'reported', files: mergedEdits(told), left_out }
  }
}
