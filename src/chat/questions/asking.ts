import { hash } from 'node:crypto'
import { type Agent, agentIn, isSameVisit } from '../../protocol/entries/agent.ts'
import { BEFORE_ALL, type Body, type Question, type Receipt, type Title } from '../../protocol/entries/entry.ts'
import type { ConversationState } from '../../protocol/entries/fold.ts'
import { later } from '../../protocol/entries/later.ts'
import { unheardOf } from '../../protocol/entries/stops.ts'
import type { Policing } from '../approvals/policing.ts'
import { bodies, knownId, type Proposed } from '../conversation/decision.ts'
import type { AskedBefore } from '../delivery/visits.ts'

/** A question that is about to be asked. Asked again with the same key it is still the one that was asked first. */
export interface Prepared {
  key: string
  question: Question
}

// 132 bits: nobody finds two that are alike, and a conversation names many.
const FINGERPRINT_LENGTH = 22

/** The place of each question: the id of one that was asked before, or nothing where it is new. */
export type Places = (string | undefined)[]

/** The fingerprint tells one question from another: who asks, and everything that the person is shown. */
export function fingerprint({
  kind: _,
  expires_at: __,
  exchange: ___,
  folder: ____,
  visit: _____,
  ...shown
}: Question): string {
  return hash('sha256', JSON.stringify(shown), 'base64url').slice(0, FINGERPRINT_LENGTH)
}

/** The facts about those who asked before. */
export interface Before {
  /** Whether the agent that asks now means what was asked then. */
  isMeant(before: AskedBefore, asks: Agent): boolean
  /** Whether a reply is in the hands of its agent. */
  reached(reply: string): boolean
}

/**
 * The same agent asking the same again means the question that is open, or the reply that never reached it. An approval
 * is the same only by its key, and no two questions of one call are one.
 */
export function placesOf(state: ConversationState, asked: Prepared[], { isMeant, reached }: Before): Places {
  const taken = new Set<string>()
  return asked.map(({ question }) => {
    const place = question.approval ? undefined : askedBefore(question)
    if (place !== undefined) taken.add(place)
    return place
  })

  function askedBefore(question: Question): string | undefined {
    const { fingerprint: wanted, asker, by } = question
    const asks = agentIn(question)
    const open = state.open.filter(({ fingerprint }) => fingerprint === wanted)
    const late = state.replies.recent.filter(
      ({ settlement, fingerprint, delivered }) => fingerprint === wanted && !delivered && !reached(settlement),
    )
    const meant = [...open, ...late.map(({ question, ...reply }) => ({ ...reply, id: question }))]
      .filter(({ id }) => !taken.has(id))
      // The fingerprint has the asker, and how it called itself.
      .filter(({ id, at, folder, visit }) => isMeant({ id, at, asker, agent: by, folder, visit }, asks))
      .sort((one, other) => (one.id < other.id ? -1 : 1))
    const found = meant.find(({ visit }) => isSameVisit(visit, asks.visit)) ?? theOnlyOnes(meant)
    return found && knownId(found.id)
  }
}

/** The agents that asked the same, and may still be there. */
export function askersLike({ open, replies }: ConversationState, { question: { fingerprint, asker, by } }: Prepared) {
  const like = [...open, ...replies.recent].filter(
    (one) => fingerprint !== undefined && one.fingerprint === fingerprint,
  )
  return like.map(({ at, folder, visit }) => ({ at, asker, agent: by, folder, visit }))
}

/** The first, unless several agents may have left them: whose the one is that comes again cannot be told then. */
function theOnlyOnes<Asked extends { visit?: string }>([first, ...others]: Asked[]): Asked | undefined {
  return others.every(({ visit }) => isSameVisit(visit, first?.visit)) ? first : undefined
}

/** The entries for the questions that are new. Receipts of what their agent has proven to have come first. */
export function newQuestions(
  state: ConversationState,
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

/** The title and folder that an agent brings for a conversation that it begins. */
export type Naming = Pick<Title, 'title' | 'folder'>

export function titled(state: ConversationState, naming: Naming | undefined): Body[] {
  return naming && state.last === BEFORE_ALL ? [{ kind: 'title', title: naming.title, folder: naming.folder }] : []
}

/** The stops that the agent has not heard of: what it asks then is refused, with their words. */
export function stopsBefore(
  { stop }: ConversationState,
  heard: string | undefined,
  read: Receipt | undefined,
): string[] {
  const known = later(heard, read?.stop)
  return stop
    ? unheardOf(stop)
        .filter((id) => id > known)
        .map(knownId)
    : []
}
