import type { Views } from '../log/views.ts'
import {
  BEFORE_ALL,
  type Body,
  type Deed,
  type Entry,
  type Question,
  type Receipt,
  type SettledEntry,
  type Title,
} from '../protocol/entry.ts'
import type { Conversation } from '../protocol/fold.ts'
import {
  fingerprint,
  isStopped,
  type Naming,
  newQuestions,
  type Places,
  type Prepared,
  placesOf,
  titled,
} from './asking.ts'
import type { Attached } from './attaching.ts'
import { isNamedAfter } from './conversation-name.ts'
import { bodies, type Proposed } from './decision.ts'
import type { Expected } from './expected.ts'
import { later } from './later.ts'
import { createOwnership } from './ownership.ts'
import type { Policing } from './policing.ts'
import type { Entering, Presence, Present } from './presence.ts'
import type { Received } from './received.ts'
import type { Rooms } from './rooms.ts'
import { mustFit } from './text-size.ts'
import type { Contents, Given } from './undelivered.ts'
import { createUnread, type Owed, type Unread, type Wanted } from './unread.ts'

/** A question to ask. Asked again with the same key it is still the one that was asked first. */
export interface Asking extends Omit<Question, 'kind' | 'asker' | 'exchange' | 'fingerprint'> {
  key: string
}

export interface AskingFor extends Naming {
  given: Given
  /** What the agent has proven to have. */
  read?: Receipt
}

/** The hub as an agent's seat sees it. */
export interface Reception {
  /** The ids of the questions, or nothing when the person wants the agent to stop. */
  ask(conversation: string, questions: Asking[], more: AskingFor): Promise<string[] | undefined>
  outcome(question: string, signal: AbortSignal): Promise<SettledEntry>
  /** Of the agent that calls itself so. */
  mustOwn(questions: string[], agent: string | undefined): Promise<void>
  /** Their replies are in the hands of a call, until what is returned is called. */
  expects(questions: string[]): () => void
  /** A call may bring what was said there, until what is returned is called. */
  carries(conversation: string): () => void
  /** Those of the questions that are open. */
  stillOpen(questions: string[]): Promise<string[]>
  /** Nobody can use an outcome any more. What another call waits for stays. */
  withdraw(questions: string[]): Promise<void>
  unread(conversation: string, given: Given, wanted: Wanted): Promise<Unread>
  /** Of what an agent says that it got, as much as it can have got. */
  recognise(conversation: string, told: Contents): Promise<Contents>
  tell(conversation: string, body: Deed | Title, more: Naming & { key: string }): Promise<void>
  /** Resolves when it is kept; what was only delivered may be kept a little later. */
  note(conversation: string, receipt: Receipt): Promise<void>
  enter(conversation: string, how?: Entering): Present
}

interface ReceptionParts {
  rooms: Rooms
  views: Pick<Views, 'read' | 'find' | 'conversations'>
  presence: Presence
  textLimitBytes: number
  put: Policing['put']
  attached: Attached
  received: Pick<Received, 'handing'>
  expected: Pick<Expected, 'expects'>
  carried: Pick<Expected, 'expects'>
  /** Somebody drives the agent, and gives it what is said. */
  isHeld(conversation: string): Promise<boolean>
  /** The calls of mounted tools whose callers are still to be told of them. */
  owed(): Owed
  amended(entries: Entry[]): Promise<Entry[]>
  beginning(message: Entry): Promise<string | undefined>
  entry(id: string): Promise<Entry | undefined>
  outcome(question: string, signal: AbortSignal): Promise<SettledEntry>
  conversationOf(question: string): Promise<string>
  withdraw(question: string, by: string): Promise<Entry>
  now(): number
  report(error: unknown): void
}

const LATELY_MS = 60 * 60_000
// More are not looked at: somebody waits for the answer.
const NEWEST = 100

/** What the hub does for the seats of agents. Seats of all askers share it, because they share the conversations. */
export function createReception({ rooms, views, presence, textLimitBytes, attached, report, ...chat }: ReceptionParts) {
  /** Questions that a live call waits for. */
  const awaited = new Map<string, number>()
  /** What was delivered and is not noted yet. */
  const soon = new Set<Receipt>()
  const { entry, amended, beginning, received, expected, carried, isHeld, owed, put } = chat
  const isAwaited = (question: string) => awaited.has(question)
  const unread = createUnread({ views, entry, amended, beginning, isAwaited, owed })
  const ownership = createOwnership({ entry, stateOf: rooms.state, stateAround })
  return { for: receptionFor, leftBehind }

  /** The one for the agents of a principal. */
  function receptionFor(asker: string): Reception {
    const waiting = unread.of(asker)
    const { own, mustOwn, recognise } = ownership.of(asker)
    return {
      ask: (conversation, questions, more) => ask(asker, conversation, questions, more),
      outcome: (question, signal) => outcome(question, signal, own),
      mustOwn,
      expects: expected.expects,
      carries: (conversation) => carried.expects([conversation]),
      stillOpen: async (questions) => stillOpen(await Promise.all(questions.map((question) => own(question)))),
      withdraw: async (questions) => withdraw(await Promise.all(questions.map((question) => own(question)))),
      unread: (conversation, given, wanted) =>
        received.handing(
          conversation,
          async () => {
            const state = await rooms.state(conversation)
            return (await isHeld(conversation)) ? unread.stop(state, wanted) : waiting.take(state, given, wanted)
          },
          ({ contents }) => contents.messages_to,
        ),
      recognise,
      tell,
      note: (conversation, receipt) => note(conversation, { ...receipt, asker }),
      enter: presence.enter,
    }
  }

  async function ask(asker: string, conversation: string, questions: Asking[], { given, read, ...naming }: AskingFor) {
    const [first, ...others] = questions
    const together = first && others.length > 0 ? { exchange: first.key } : {}
    const asked = questions.map((question) => prepared(asker, question, together))
    // All or none: what is said must not depend on which of them was too long.
    mustFit(bodies(...asked.map(({ question }) => question)), textLimitBytes)
    const proven = read && { ...read, asker }
    if (proven) overtake(proven)
    let places: Places | undefined
    const entries = await rooms.append(conversation, (state) => {
      places = isStopped(state, given.stop, read)
        ? undefined
        : placesOf(state, asked, (reply) => isIn(reply, [read, ...soon]))
      if (!places) return bodies(...(proven ? [proven] : []))
      return newQuestions(state, asked, places, { ...naming, read: proven, put })
    })
    const fresh = entries.slice(entries.length - (places?.filter((place) => place === undefined).length ?? 0))
    return (
      places &&
      Promise.all(places.map((place, n) => (place === undefined ? (fresh.shift() as Entry).id : own(n, place))))
    )

    /** What has the same words may be another: what was asked with this very key is the one. */
    async function own(n: number, place: string): Promise<string> {
      return (await views.find(conversation, asked[n]?.key ?? ''))?.id ?? place
    }
  }

  function prepared(
    asker: string,
    { key, attachments, ...asked }: Asking,
    together: Pick<Question, 'exchange'> = {},
  ): Prepared {
    const question: Question = { kind: 'question', ...asked, asker, ...together, ...attached(attachments) }
    return { key, question: question.approval ? question : { ...question, fingerprint: fingerprint(question) } }
  }

  /**
   * Where an agent that comes back and cannot say who it was goes on: nobody is there any more, and what it asks was left
   * there lately, open or with a reply that reached nobody. Later, the same words may well be about something else.
   */
  async function leftBehind(asker: string, title: string, questions: Omit<Asking, 'key'>[]) {
    const asked = questions.map((question) => prepared(asker, { ...question, key: '' }))
    for (const { conversation } of await views.conversations({ limit: NEWEST })) {
      if (!isNamedAfter(title, conversation) || presence.seated().includes(conversation)) continue
      const state = await rooms.state(conversation)
      if (state.last_at < chat.now() - LATELY_MS) return undefined
      const places = placesOf(state, asked, (reply) => isIn(reply, [...soon]))
      if (places.length > 0 && !places.includes(undefined)) return conversation
    }
    return undefined
  }

  async function outcome(question: string, signal: AbortSignal, own: (question: string) => Promise<string>) {
    awaited.set(question, (awaited.get(question) ?? 0) + 1)
    try {
      return await chat.outcome(await own(question), signal)
    } finally {
      const others = (awaited.get(question) ?? 1) - 1
      if (others > 0) awaited.set(question, others)
      else awaited.delete(question)
    }
  }

  async function stillOpen(questions: string[]): Promise<string[]> {
    const states = await Promise.all(questions.map(stateAround))
    return questions.filter((question, n) => isOpen(question, states[n]))
  }

  async function withdraw(questions: string[]): Promise<void> {
    for (const question of await stillOpen(questions)) {
      const asked = (await stateAround(question)).open.find(({ id }) => id === question)
      if (asked && !awaited.has(question)) await chat.withdraw(question, asked.by)
    }
  }

  async function stateAround(question: string): Promise<Conversation> {
    return rooms.state(await chat.conversationOf(question))
  }

  async function tell(conversation: string, body: Deed | Title, { key, ...naming }: Naming & { key: string }) {
    const decide = (state: Conversation) => {
      if (body.kind !== 'title') return bodies(...titled(state, naming), whole(body))
      const [begun] = titled(state, { ...naming, title: body.title })
      return bodies(begun ?? body)
    }
    await rooms.append(conversation, decide, { key })
  }

  function whole(deed: Deed): Body {
    return deed.kind === 'progress' ? { ...deed, ...attached(deed.attachments) } : deed
  }

  async function note(conversation: string, receipt: Receipt) {
    if (receipt.state === 'read') {
      overtake(receipt)
      await rooms.append(conversation, (state) => receiptIn(state, receipt))
      return
    }
    soon.add(receipt)
    const decide = (state: Conversation) => (soon.has(receipt) ? receiptIn(state, receipt) : [])
    // Nobody waits for it: what is not noted is handed over again.
    rooms
      .append(conversation, decide, { soon: true })
      .catch(report)
      .finally(() => soon.delete(receipt))
  }

  /** What is read by now need not be told to be delivered. */
  function overtake(read: Receipt) {
    for (const late of soon) if (covers(read, late)) soon.delete(late)
  }
}

/** What was forgotten meanwhile is not begun again by who has it. */
function receiptIn({ last }: Conversation, receipt: Receipt): Proposed[] {
  return last === BEFORE_ALL ? [] : bodies(receipt)
}

function isIn(reply: string, receipts: (Receipt | undefined)[]): boolean {
  return receipts.some((receipt) => receipt?.replies?.includes(reply))
}

function covers(read: Receipt, { messages_to, replies = [], replies_to, stop }: Receipt): boolean {
  return (
    later(messages_to) <= later(read.messages_to) &&
    later(replies_to) <= later(read.replies_to) &&
    later(stop) <= later(read.stop) &&
    replies.every((reply) => read.replies?.includes(reply))
  )
}

function isOpen(question: string, state: Conversation | undefined): boolean {
  return state?.open.some(({ id }) => id === question) ?? false
}
