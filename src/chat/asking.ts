import { hash } from 'node:crypto'
import { BEFORE_ALL, type Body, type Question, type Receipt, type Title } from '../protocol/entry.ts'
import type { Conversation } from '../protocol/fold.ts'
import { bodies, knownId, type Proposed } from './decision.ts'
import { later } from './later.ts'
import type { Policing } from './policing.ts'

/** A question that is about to be asked. Asked again with the same key it is still the one that was asked first. */
export interface Prepared {
  key: string
  question: Question
}

// 132 bits: nobody finds two that are alike, and a conversation names many.
const FINGERPRINT_LENGTH = 22

/** The place of each question: the id of one that was asked before, or nothing where it is new. */
export type Places = (string | undefined)[]

/** What tells one question from another: who asks, and everything that the person is shown. */
export function fingerprint({ kind: _, expires_at: __, exchange: ___, ...shown }: Question): string {
  return hash('sha256', JSON.stringify(shown), 'base64url').slice(0, FINGERPRINT_LENGTH)
}

/**
 * The same agent asking the same again means the question that is open, or the reply that never reached it. An approval
 * is the same only by its key, and no two questions of one call are one.
 */
export function placesOf(state: Conversation, asked: Prepared[], reached: (reply: string) => boolean): Places {
  const taken = new Set<string>()
  return asked.map(({ question }) => {
    const place = question.approval ? undefined : askedBefore(question)
    if (place !== undefined) taken.add(place)
    return place
  })

  function askedBefore({ fingerprint: wanted }: Question): string | undefined {
    const open = state.open.find(({ id, fingerprint }) => fingerprint === wanted && !taken.has(id))
    if (open) return knownId(open.id)
    return state.replies.recent.find(
      ({ question, settlement, fingerprint, delivered }) =>
        fingerprint === wanted && !delivered && !reached(settlement) && !taken.has(question),
    )?.question
  }
}

/** What is appended for the questions that are new. What their agent has proven to have comes first. */
export function newQuestions(
  state: Conversation,
  asked: Prepared[],
  places: Places,
  { read, put, ...naming }: Naming & { read?: Receipt; put: Policing['put'] },
): Proposed[] {
  const fresh = asked.filter((_, n) => places[n] === undefined)
  const known = { ...state, folder: state.folder ?? naming.folder }
  return [
    ...bodies(...(fresh.length > 0 ? titled(state, naming) : []), ...(read ? [read] : [])),
    ...fresh.map(({ key, question }) => ({ key, body: put(known, question) })),
  ]
}

/** What an agent brings for a conversation that it begins. */
export type Naming = Omit<Title, 'kind'>

export function titled(state: Conversation, { title, folder }: Naming): Body[] {
  return state.last === BEFORE_ALL ? [{ kind: 'title', title, folder }] : []
}

/** Whether there is a stop that the agent has not heard of. */
export function isStopped({ stop }: Conversation, told: string | undefined, read: Receipt | undefined): boolean {
  return stop !== undefined && stop.last > later(told, read?.stop, stop.read)
}
