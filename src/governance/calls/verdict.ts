import type { Decided } from '../../protocol/entries/approval.ts'
import type { SettledEntry } from '../../protocol/entries/entry.ts'
import { unmasked } from '../../protocol/secrets/masking.ts'
import { isRecord } from '../../protocol/text/record.ts'

type Input = Record<string, unknown>

/** The decision of a person, a rule or the clock about a call. */
export function decidedBy({ body: { outcome, by, reason, decided } }: SettledEntry): Decided {
  if (decided) return decided
  if (outcome === 'approved') return { decision: 'allow', by }
  if (outcome === 'expired') return { decision: 'deny_continue', by: 'deadline', reason: 'nobody decided in time' }
  return { decision: 'deny_continue', by, reason: reason ?? `${by} said no` }
}

/** The arguments as the person changed them, with the secrets that were not shown. */
export function changedBy({ body }: SettledEntry, original: Input): Input {
  if (body.input === undefined) return original
  const changed = unmasked(JSON.parse(body.input), original)
  return isRecord(changed) ? changed : original
}
