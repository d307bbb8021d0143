import { runVisit } from '../../src/doors/mcp/visit.ts'
import type { Entry } from '../../src/protocol/entries/entry.ts'
import { textsIn } from './got.ts'
import { judgeCalls } from './judge-calls.ts'
import { judgeLog } from './judge-log.ts'
import { askedIn, placesOf, speakersIn, wordsOf } from './places.ts'
import type { Call, Deed, Line, Record } from './record.ts'

/** What was said to an agent, and whose it was. */
export interface Said {
  text: string
  deed: Deed
  /** The agents that spoke in its conversation: one, where all is well. */
  for: Set<string>
}

export interface Case {
  record: Record
  entries: Entry[]
  /** By conversation. */
  speakers: Map<string, Set<string>>
  places: Map<Line, Set<string>>
  /** Everything that each agent got, in order. */
  had: { call: Call; text: string }[]
  said: Said[]
}

/** Holds what was seen against what must have been; each complaint names whom it is about. */
export function judge(record: Record, entries: Entry[]): string[] {
  const all = caseOf(record, entries)
  return [
    ...record.complaints,
    ...staysInPlace(all),
    ...all.said.flatMap((one) => [...toItsOwn(one, all), ...(one.deed.kind === 'stop' ? [] : once(one, all))]),
    ...lost(all),
    ...ownWords(all),
    ...ownQuestions(all),
    ...judgeCalls(all),
    ...judgeLog(all),
  ]
}

/** What nobody got until now, of all that should have come. */
export function lostIn(record: Record, entries: Entry[]): string[] {
  return lost(caseOf(record, entries))
}

function caseOf(record: Record, entries: Entry[]): Case {
  const speakers = speakersIn(record, entries)
  const answered = record.calls.filter(({ got }) => got).sort((one, other) => (one.ended ?? 0) - (other.ended ?? 0))
  const had = answered.flatMap((call) => textsIn(call.got ?? { earlier: [] }).map((text) => ({ call, text })))
  const said = record.deeds
    .filter(({ kind, accepted }) => ['answer', 'post', 'stop'].includes(kind) && accepted)
    .map((deed) => ({ text: deed.text, deed, for: speakers.get(deed.conversation) ?? new Set<string>() }))
  return { record, entries, speakers, places: placesOf(record, entries), had, said }
}

/** A line speaks in one conversation, and no two agents in one, unless they were told to. */
function staysInPlace({ record, speakers, places }: Case): string[] {
  const told = new Set(record.roles.map(({ session }) => session))
  const shared = [...speakers].filter(([place, agents]) => agents.size > 1 && !told.has(place))
  const wandering = [...places].filter(([, all]) => all.size > 1)
  return [
    ...shared.map(([place, agents]) => `place: ${[...agents].join(' and ')} both spoke in ${place}`),
    ...wandering.map(([{ agent, n }, all]) => `place: ${agent}'s line ${n} spoke in ${[...all].join(' and ')}`),
  ]
}

/** Nobody gets what was said to another. Where nobody said anything of its own, it is whoever got something first. */
function toItsOwn({ text, deed, for: known }: Said, { had, said }: Case): string[] {
  const there = new Set(
    said.filter(({ deed: { conversation } }) => conversation === deed.conversation).map(({ text }) => text),
  )
  const first = known.size > 0 ? undefined : had.find((one) => [...there].some((other) => holds(one.text, other)))
  const agents = first ? new Set([first.call.line.agent]) : known
  const wrong = had.filter((one) => holds(one.text, text) && !agents.has(one.call.line.agent))
  return wrong.map(
    ({ call }) =>
      `wrong agent: ${call.line.agent} got "${text}" with #${call.n}, said to ${[...agents].join()} in ${deed.conversation}`,
  )
}

/** Twice only where the line was lost before any other call could prove that it had come. */
function once({ text }: Said, { had, record }: Case): string[] {
  const times = had.filter((one) => holds(one.text, text))
  return times.slice(1).flatMap(({ call }, n) => {
    const before = times[n]?.call as Call
    const proven = record.calls.some(
      ({ line, began, got }) => line === before.line && got && began > (before.ended ?? 0),
    )
    const excused = before.line.goneAt !== undefined && !proven
    return excused ? [] : [`twice: ${call.line.agent} got "${text}" with #${before.n} and with #${call.n}`]
  })
}

function lost(all: Case): string[] {
  return all.said.flatMap((one) => notLost(one, all))
}

/** Whoever is still there, or whose conversation is named, gets it in the end. */
function notLost({ text, deed, for: agents }: Said, { had, record, entries, places }: Case): string[] {
  if (had.some((one) => holds(one.text, text))) return []
  return [...agents].flatMap((agent) => {
    const role = record.roles.find(({ name }) => name === agent)
    const last = record.lines.findLast((line) => line.agent === agent)
    // Whoever hangs never comes to its end, and is told of as that.
    if (record.calls.some(({ line, ended }) => line.agent === agent && ended === undefined)) return []
    const isThere = last && places.get(last)?.has(deed.conversation)
    // The last hub takes nobody in its first seconds for who asked another one, but for the same line or run.
    if (last && !role?.run && deed.question !== undefined && deed.question < firstOf(last)) return []
    return role?.run || isThere ? [`lost: ${agent} never got "${text}", ${deed.kind} in ${deed.conversation}`] : []
  })

  /** What was said over no other line. */
  function firstOf(line: Line): string {
    const own = new Set(record.calls.filter((call) => call.line === line && !call.shared).map(({ words }) => words))
    for (const { words, line: other } of record.calls) if (other !== line) own.delete(words)
    return entries.find((entry) => own.has(wordsOf(entry) ?? '-'))?.id ?? ''
  }
}

/** A reply is to a question in the words of the call that brings it, or says which one it is to. */
function ownWords({ record, entries }: Case): string[] {
  const questions = new Map(entries.map((entry) => [entry.id, wordsOf(entry)]))
  const asked = (text: string) => questions.get(askedIn(text))
  return record.calls.flatMap(({ n, line, words, got }) => {
    const reply = got?.reply !== undefined && asked(got.reply) !== words ? [got.reply] : []
    const late = (got?.earlier ?? []).filter(
      ({ text, in_reply_to }) => asked(text) !== undefined && asked(text) !== in_reply_to,
    )
    return [...reply, ...late.map(({ text }) => text)].map(
      (text) => `other words: ${line.agent} got "${text}" for "${words}" with #${n}`,
    )
  })
}

/** Where several speak in one place in the same words, a reply is to what this run asked. */
function ownQuestions({ record, entries }: Case): string[] {
  const visits = new Map(entries.map(({ id, body }) => [id, body.kind === 'question' ? body.visit : undefined]))
  return record.calls.flatMap(({ n, line, got }) => {
    const { run } = record.roles.find(({ name }) => name === line.agent) ?? {}
    const visit = visits.get(askedIn(got?.reply))
    if (run === undefined || visit === undefined || visit === runVisit(run)) return []
    return [`wrong agent: ${line.agent} got "${got?.reply}" with #${n}, to what somebody else asked`]
  })
}

/** Several stops may be told together. */
export function holds(got: string, text: string): boolean {
  return got === text || got.includes(text)
}
