import type { Case } from './judge.ts'
import { wordsOf } from './places.ts'
import type { Call } from './record.ts'

const COME_BACK = /shutting down/

/** Every call gets an answer that it can use, and an approval the person's own word. */
export function judgeCalls(all: Case): string[] {
  return all.record.calls.flatMap((call) => [...isAnswered(call), ...isNoFailure(call, all), ...isTrue(call, all)])
}

function isAnswered({ n, line, tool, words, ended }: Call): string[] {
  return ended === undefined ? [`hangs: ${line.agent}'s #${n} ${tool} "${words}" was never answered`] : []
}

/** A call fails where its client gave it up, its line was ended, or the owner ended the hub. */
function isNoFailure(call: Call, { record }: Case): string[] {
  const { n, line, tool, failed, cancelled } = call
  if (failed === undefined || cancelled || line.endedBy || line.goneAt !== undefined) return []
  if (COME_BACK.test(failed) && wasStopped(call, { record })) return []
  return [`failed: ${line.agent}'s #${n} ${tool} failed: ${failed}`]
}

function wasStopped({ began, ended = 0 }: Call, { record }: Pick<Case, 'record'>): boolean {
  return record.stops.some(({ from, to = Number.POSITIVE_INFINITY }) => from < ended && to > began)
}

/** What was allowed is what was asked for; every no has its reason. */
function isTrue(call: Call, { record, entries, speakers }: Case): string[] {
  const { n, line, words, got } = call
  if (
    got?.stopped !== undefined &&
    !record.deeds.some(({ kind, text }) => kind === 'stop' && got.stopped?.includes(text))
  )
    return [`stop: ${line.agent}'s #${n} was stopped without the words of a stop: "${got.stopped}"`]
  if (!got?.verdict) return []
  const { behavior, message = '', updatedInput } = got.verdict
  const cards = new Set(
    entries
      .filter((entry) => entry.body.kind === 'question' && entry.body.approval && wordsOf(entry) === words)
      // A line that was lost early has said nothing of its own.
      .filter(({ conversation }) => speakers.get(conversation)?.has(line.agent) ?? true)
      .map(({ id }) => id),
  )
  const decided = (kind: string) =>
    record.deeds.some((deed) => deed.kind === kind && deed.accepted && cards.has(deed.question ?? ''))
  const isSame = JSON.stringify(updatedInput) === JSON.stringify({ command: words })
  if (behavior === 'allow')
    return decided('allow') && isSame ? [] : [`verdict: ${line.agent}'s #${n} "${words}" was allowed by nobody`]
  const reasons = record.deeds.filter(({ kind }) => kind === 'deny' || kind === 'stop').map(({ text }) => text)
  if (reasons.some((reason) => message.includes(reason))) return []
  if (COME_BACK.test(message) && (line.endedBy || wasStopped(call, { record }))) return []
  return [`verdict: ${line.agent}'s #${n} "${words}" was denied by nobody: ${message}`]
}
