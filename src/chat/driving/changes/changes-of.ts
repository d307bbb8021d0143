import { BEFORE_ALL, type FileChange } from '../../../protocol/entries/entry.ts'
import type { Changes } from '../../../protocol/frames/changes.ts'
import type { Projection } from '../../conversation/projection.ts'
import type { Reading } from '../../reading/reading.ts'
import type { Leases } from '../leases.ts'
import type { Runners } from '../runners.ts'
import { mergedEdits } from './merged-edits.ts'
import type { Requests } from './requests.ts'

interface ChangesParts {
  leases: Pick<Leases, 'leaseOf'>
  driving: { requests: Pick<Requests, 'ask'>; runners: Pick<Runners, 'isLaunched'> }
  projection: Pick<Projection, 'runnerOf'>
  page: Reading['page']
}

const PAGE = 200
const MOST_ENTRIES = 20_000
const SILENT = 'The runner did not answer: these are only the edits that the agent reported'
const ASLEEP =
  'The agent is asleep: these are only the edits that it reported. All of the folder is compared once you have said something'

/** What an agent changed: its runner knows, which is asked about its own folder; else what it told of its edits. */
export function createChangesOf({ leases, driving, projection, page }: ChangesParts) {
  return { changes }

  async function changes(conversation: string, path?: string): Promise<Changes> {
    const lease = await leases.leaseOf(conversation)
    const answer = lease && (await driving.requests.ask(lease, { type: 'changes', session_id: conversation, path }))
    if (answer?.changes) return answer.changes
    if (lease) return reported(conversation, answer ? undefined : SILENT)
    // The hub starts its runner when somebody speaks.
    const isAsleep = driving.runners.isLaunched(projection.runnerOf(conversation) ?? '')
    return reported(conversation, isAsleep ? ASLEEP : undefined)
  }

  async function reported(conversation: string, why: string | undefined): Promise<Changes> {
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
      why,
      has_newer && `Only the first ${MOST_ENTRIES.toLocaleString('en')} entries of the conversation were looked at`,
    ].filter((sentence) => typeof sentence === 'string')
    return { against: 'reported', files: mergedEdits(told), left_out }
  }
}
