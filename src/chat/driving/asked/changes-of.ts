import { BEFORE_ALL, type FileChange } from '../../../protocol/entries/entry.ts'
import type { Changes } from '../../../protocol/frames/asked/changes.ts'
import { isRefusal } from '../../../protocol/refusal.ts'
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
  report(error: unknown): void
}

const PAGE = 200
const MOST_ENTRIES = 20_000
const SILENT = 'The runner did not answer: these are only the edits that the agent reported'
const UNSEEN = 'The folder could not be looked at: these are only the edits that the agent reported'

/** Looks at the folder of a runner that has no process; no changes where there is nothing to compare with. */
export type LookAsleep = (runner: string, conversation: string, path?: string) => Promise<{ changes?: Changes }>

/**
 * What an agent changed: its runner knows, which is asked about its own folder, or whoever looks at that while there is
 * none; else what it told of its edits.
 */
export function createChangesOf({ leases, driving, projection, page, report }: ChangesParts) {
  let lookAsleep: LookAsleep | undefined
  return { changes, lookedAtBy }

  function lookedAtBy(look: LookAsleep) {
    lookAsleep = look
  }

  async function changes(conversation: string, path?: string): Promise<Changes> {
    const lease = await leases.leaseOf(conversation)
    const answer = lease && (await driving.requests.ask(lease, { type: 'changes', session_id: conversation, path }))
    if (answer) return answer.changes ?? reported(conversation, undefined)
    const runner = projection.runnerOf(conversation) ?? ''
    // One that was just ended still holds its conversations for a while.
    if (!lookAsleep || !driving.runners.isLaunched(runner)) return reported(conversation, lease && SILENT)
    const found = await lookAsleep(runner, conversation, path).catch((error) => {
      if (!isRefusal(error)) report(error)
    })
    return found ? (found.changes ?? reported(conversation, undefined)) : reported(conversation, UNSEEN)
  }

  async function reported(conversation: string, why: string | undefined): Promise<Changes> {
    const told: FileChange[] = []
    let folder: string | undefined
    let looked = 0
    let has_newer = true
    for (let after = BEFORE_ALL; has_newer && looked < MOST_ENTRIES; looked += PAGE) {
      const found = await page(conversation, { after, limit: PAGE })
      for (const { body } of found.entries) {
        if (body.kind === 'tool_result' && body.success && body.changes) told.push(...body.changes)
        if (body.kind === 'title') folder = body.folder ?? folder
      }
      after = found.entries.at(-1)?.id ?? after
      has_newer = found.has_newer
    }
    const left_out = [
      why,
      has_newer && `Only the first ${MOST_ENTRIES.toLocaleString('en')} entries of the conversation were looked at`,
    ].filter((sentence) => typeof sentence === 'string')
    return { against: 'reported', files: mergedEdits(told, folder), left_out }
  }
}
