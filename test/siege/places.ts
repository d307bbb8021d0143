import type { Entry } from '../../src/protocol/entry.ts'
import type { Call, Record } from './record.ts'

/** What an agent said with this entry, if one did. */
export function wordsOf({ body }: Entry): string | undefined {
  if (body.kind === 'progress') return body.text
  if (body.kind !== 'question') return undefined
  return body.approval ? (JSON.parse(body.approval.input) as { command: string }).command : body.text
}

/** The lines that spoke in each conversation, by what only they say. */
export function speakersIn({ calls }: Pick<Record, 'calls'>, entries: Entry[]) {
  const byWords = new Map<string, Call[]>()
  for (const call of calls)
    if (!call.shared && call.words) byWords.set(call.words, [...(byWords.get(call.words) ?? []), call])
  const speakers = new Map<string, Set<string>>()
  for (const entry of entries)
    for (const { line } of byWords.get(wordsOf(entry) ?? '') ?? []) {
      const there = speakers.get(entry.conversation) ?? new Set()
      speakers.set(entry.conversation, there.add(line.agent))
    }
  return speakers
}
