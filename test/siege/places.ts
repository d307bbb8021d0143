import type { Entry } from '../../src/protocol/entries/entry.ts'
import type { Call, Line, Record } from './record.ts'

/** What an agent said with this entry, if one did. */
export function wordsOf({ body }: Entry): string | undefined {
  if (body.kind === 'progress') return body.text
  if (body.kind !== 'question') return undefined
  return body.approval ? (JSON.parse(body.approval.input) as { command: string }).command : body.text
}

/** The question that a reply is to: the person tells it with each. */
export function askedIn(reply = ''): string {
  return /\((\d{16})\)$/.exec(reply)?.[1] ?? ''
}

/** Where each line spoke: by what was said over no other, and by the questions whose replies came over it. */
export function placesOf({ calls }: Pick<Record, 'calls'>, entries: Entry[]) {
  const byWords = Map.groupBy(calls, ({ words }) => words)
  const questions = new Map(entries.map(({ id, conversation }) => [id, conversation]))
  const places = new Map<Line, Set<string>>()
  for (const entry of entries) {
    const [first, ...others] = byWords.get(wordsOf(entry) ?? '-') ?? []
    if (first && others.every(({ line }) => line === first.line)) add(first.line, entry.conversation)
  }
  for (const { line, got } of calls) add(line, questions.get(askedIn(got?.reply)))
  return places

  function add(line: Line, place: string | undefined) {
    if (place !== undefined) places.set(line, (places.get(line) ?? new Set()).add(place))
  }
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
