import type { Views } from '../../log/views.ts'
import { type Agent, agentIn } from '../../protocol/entries/agent.ts'
import type { Body, Deed, Entry, Question, Receipt, SettledEntry, Title } from '../../protocol/entries/entry.ts'
import type { ConversationState, OpenQuestion } from '../../protocol/entries/fold.ts'
import type { Policing } from '../approvals/policing.ts'
import { bodies } from '../conversation/decision.ts'
import { ofAgent } from '../conversation/of-agent.ts'
import type { Projection } from '../conversation/projection.ts'
import type { Rooms } from '../conversation/rooms.ts'
import { mustFit } from '../conversation/text-size.ts'
import type { Entering, Presence, Present } from '../driving/presence.ts'
import type { Attached } from '../people/attaching.ts'
import type { Revised } from '../people/revising.ts'
import { createAskedNow } from '../questions/asked-now.ts'
import {
  askersLike,
  fingerprint,
  type Naming,
  newQuestions,
  type Places,
  type Prepared,
  placesOf,
  stopsBefore,
  titled,
} from '../questions/asking.ts'
import { createOwnership } from '../questions/ownership.ts'
import { createStopBehind } from '../questions/stop-behind.ts'
import { type Ledger, receiptIn } from './ledger.ts'
import { createLeftBehind } from './left-behind.ts'
import type { Given } from './undelivered.ts'
import { createUnread, type Owed, type Unread, type UnreadOptions } from './unread.ts'
import type { AskedBefore, Visits } from './visits.ts'

/** A question to ask. Asked again with the same key it is still the one that was asked first. */
export interface Asking extends Omit<Question, 'kind' | 'asker' | 'folder' | 'exchange' | 'fingerprint'> {
  key: string
}

interface AskingFor extends Naming {
  /** The last stop that the agent has heard of. */
  heard?: string
  /** The messages that the agent has proven to have. */
  read?: Receipt
}

type TellingFor = Omit<AskingFor, 'heard'> & { key: string }

/** The ids of the questions, or of the stops that the agent has to hear of instead. */
export type Asked = { questions: string[] } | { stops: string[] }

/** The hub as an agent's session sees it. */
export type AgentService = ReturnType<ReturnType<typeof createAgentService>['for']>

/** The conversations that the principal of an agent may see. */
interface Bounds {
  /** Throws where it is not to be seen. */
  seen(conversation: string): string
  maySee(conversation: string): boolean
}

interface AgentServiceParts {
  rooms: Rooms
  views: Pick<Views, 'read' | 'find' | 'conversations'>
  presence: Presence
  textLimitBytes: number
  put: Policing['put']
  attached: Attached
  ledger: Ledger
  /** Somebody drives the agent, and gives it what is said. */
  isHeld(conversation: string): boolean | Promise<boolean>
  visits: Visits
  /** Knows where open questions are, and of calls of mounted tools whose callers are still to be told of them. */
  projection: Pick<Projection, 'placeOf'> & { calls(): Owed }
  revisions(said: Entry, upTo: string): Promise<Revised[]>
  beginning(message: Entry): Promise<string | undefined>
  entry(id: string): Promise<Entry | undefined>
  outcome(question: string, signal: AbortSignal): Promise<SettledEntry>
  conversationOf(question: string): Promise<string>
  /** Withdraws it, or will as soon as the disk takes that. */
  giveUp(question: string, by: string, gone?: true): Promise<void>
  /** Somebody waits for it, whatever was to become of it. */
  isWanted(question: string): void
  now(): number
}

/** The hub's service for agent sessions. Sessions of all askers share it, because they share the conversations. */
export function createAgentService({
  rooms,
  views,
  presence,
  textLimitBytes,
  attached,
  ledger,
  ...chat
}: AgentServiceParts) {
  const askedNow = createAskedNow()
  const { entry, revisions, beginning, isHeld, projection, put, visits } = chat
  const isAwaited = (question: string) => ledger.isAwaited(question) || askedNow.has(question)
  const stopBehind = createStopBehind(views)
  const { isCarried } = ledger
  const unread = createUnread({
    views,
    stopBehind,
    entry,
    revisions,
    beginning,
    isAwaited,
    isCarried,
    owed: projection.calls,
    visits,
  })
  const ownership = createOwnership({ entry, stateOf: rooms.state, stateAround, knownAround })
  const leftBehind = createLeftBehind({
    views,
    rooms,
    presence,
    prepared: (whose, question: Omit<Asking, 'key'>) => prepared(whose, { ...question, key: '' }),
    isMeant: (before, asks) => visits.isAskedAgain(before, asks, isAwaited),
    reached: (reply) => ledger.isNoted(reply),
    now: chat.now,
  })
  return { for: serviceFor, leftBehind, withdraw }

  /** The one for one visit of an agent, whatever it calls itself. */
  function serviceFor(whose: Agent, { seen, maySee }: Bounds) {
    const waiting = unread.of(whose)
    const { own, allOwn, recognise } = ownership.of(whose, maySee)
    return {
      ask: async (conversation: string, questions: Asking[], more: AskingFor) =>
        ask(whose, seen(conversation), questions, more),
      outcome: (question: string, signal: AbortSignal) => outcome(question, signal, own),
      /** Throws unless all were asked by the agent that calls itself so. */
      mustOwn: async (questions: string[], agent: string | undefined) => void (await allOwn(questions, agent)),
      /** Those of the questions that are open. */
      stillOpen: async (questions: string[]) => stillOpen(await allOwn(questions)),
      /**
       * Nobody can use an outcome any more, because their agent is gone or has cancelled. What another call waits for
       * stays.
       */
      withdraw: async (questions: string[], gone?: true) => withdraw(await allOwn(questions), gone),
      async unread(conversation: string, given: Given, wanted: UnreadOptions): Promise<Unread> {
        if (visits.isYoung()) await onceAskersAreBack(seen(conversation), whose)
        const state = rooms.known(seen(conversation)) ?? (await rooms.state(conversation))
        const held = isHeld(conversation)
        const isDriven = typeof held === 'boolean' ? held : await held
        return isDriven ? unread.stop(state, wanted) : waiting.take(state, given, wanted)
      },
      account: (conversation: string) => ledger.account({ conversation: seen(conversation), whose, recognise }),
      tell: async (conversation: string, body: Deed | Title, more: TellingFor) => tell(seen(conversation), body, more),
      /** `agent` is what it calls itself, once it is known. */
      enter: (conversation: string, how?: Entering, agent?: () => string | undefined): Present =>
        enter(seen(conversation), how, () => ({ ...whose, agent: agent?.() })),
    }
  }

  async function ask(
    whose: Agent,
    conversation: string,
    questions: Asking[],
    { heard, read, ...naming }: AskingFor,
  ): Promise<Asked> {
    const [first, ...others] = questions
    const together = first && others.length > 0 ? { exchange: first.key } : {}
    const asked = questions.map((question) => prepared(whose, question, together))
    // All or none: what is said must not depend on which of them was too long.
    mustFit(bodies(...asked.map(({ question }) => question)), textLimitBytes)
    if (visits.isYoung()) await onceAllAreBack(conversation, asked)
    if (read) ledger.overtake(read)
    let places: Places = []
    let stops: string[] = []
    const asking = askedNow.begin(asked.map(({ question }) => question))
    const isMeant = (before: AskedBefore, asks: Agent) =>
      visits.isAskedAgain(before, asks, (id) => isAwaited(id) || asking.isCrowded())
    const entries = await rooms
      .append(conversation, (state) => {
        stops = stopsBefore(state, heard, read)
        if (stops.length > 0) return bodies(...(read ? [read] : []))
        places = placesOf(state, asked, { isMeant, reached: (reply) => ledger.isNoted(reply, read) })
        return newQuestions(state, asked, places, { ...naming, read, put })
      })
      .catch((error) => {
        asking.over([])
        throw error
      })
    const isNew = (place: Places[number]) => place === undefined
    const fresh = stops.length > 0 ? [] : entries.slice(entries.length - places.filter(isNew).length)
    asking.over(fresh.map(({ id }) => id))
    if (stops.length > 0) return { stops }
    if (places.every(isNew)) return { questions: fresh.map(({ id }) => id) }
    return {
      questions: await Promise.all(
        places.map((place, n) => (place === undefined ? (fresh.shift() as Entry).id : own(n, place))),
      ),
    }

    /** Questions with the same words may differ: the one that was asked with this very key is meant. */
    async function own(n: number, place: string): Promise<string> {
      return (await views.find(conversation, asked[n]?.key ?? ''))?.id ?? place
    }
  }

  /** An agent that asked the same at the previous hub may be on its way to this one. */
  async function onceAllAreBack(conversation: string, asked: Prepared[]) {
    const state = await rooms.state(conversation)
    for (const one of asked) await visits.onceAllAreBack(askersLike(state, one), agentIn(one.question))
  }

  /** The owner of a late reply is known then. */
  async function onceAskersAreBack(conversation: string, whose: Agent) {
    const { replies } = await rooms.state(conversation)
    const late = replies.recent.filter(({ delivered }) => !delivered)
    await visits.onceAllAreBack(
      late.map(({ at, folder, visit }) => ({ ...whose, at, folder, visit })),
      whose,
    )
  }

  function prepared(
    { asker, folder, visit }: Agent,
    { key, attachments, ...asked }: Asking,
    together: Pick<Question, 'exchange'> = {},
  ): Prepared {
    const whose = { asker, folder, visit: asked.visit ?? visit }
    const question: Question = { kind: 'question', ...asked, ...whose, ...together, ...attached(attachments) }
    return { key, question: question.approval ? question : { ...question, fingerprint: fingerprint(question) } }
  }

  function enter(conversation: string, how: Entering | undefined, agent: () => Agent): Present {
    const visit = visits.enter(conversation, agent)
    const present = presence.enter(conversation, how)
    return {
      ...present,
      leave() {
        visit.leave()
        present.leave()
      },
    }
  }

  async function outcome(question: string, signal: AbortSignal, own: (question: string) => string | Promise<string>) {
    chat.isWanted(question)
    try {
      const owned = own(question)
      return await chat.outcome(typeof owned === 'string' ? owned : await owned, signal)
    } finally {
      askedNow.end(question)
    }
  }

  async function stillOpen(questions: string[]): Promise<string[]> {
    const open = await Promise.all(questions.map(openOne))
    return questions.filter((_, n) => open[n])
  }

  async function withdraw(questions: string[], gone?: true): Promise<void> {
    for (const question of await stillOpen(questions)) {
      const asked = await openOne(question)
      if (asked && !ledger.isAwaited(question)) await chat.giveUp(question, asked.by, gone)
    }
  }

  async function openOne(question: string): Promise<OpenQuestion | undefined> {
    return (await stateAround(question)).open.find(({ id }) => id === question)
  }

  function knownAround(question: string): ConversationState | undefined {
    const conversation = projection.placeOf(question)
    return conversation === undefined ? undefined : rooms.known(conversation)
  }

  async function stateAround(question: string): Promise<ConversationState> {
    return rooms.state(await chat.conversationOf(question))
  }

  /** What its agent has proven to have read is noted along, in the same commit. */
  async function tell(conversation: string, body: Deed | Title, { key, read, ...naming }: TellingFor) {
    if (read) ledger.overtake(read)
    await rooms.append(conversation, (state) => {
      const known = read ? receiptIn(state, read) : []
      if (body.kind !== 'title') return [...bodies(...titled(state, naming)), ...known, { key, body: whole(body) }]
      const [begun] = titled(state, { ...naming, title: body.title })
      return [...known, { key, body: begun ?? ofAgent(state, body) }]
    })
  }

  function whole(deed: Deed): Body {
    return deed.kind === 'progress' ? { ...deed, ...attached(deed.attachments) } : deed
  }
}
