import type { FileStore } from '../files/file-store.ts'
import type { Journal } from '../log/journal.ts'
import type { Views } from '../log/views.ts'
import { BEFORE_ALL, type Body, type Deed, type Entry, type Title } from '../protocol/entry.ts'
import { ParleyError } from '../protocol/errors.ts'
import type { Conversation } from '../protocol/fold.ts'
import { TEXT_LIMIT_BYTES } from '../protocol/text.ts'
import { revoked } from './always.ts'
import { createAnswering } from './answering.ts'
import { createAttaching, type Posting } from './attaching.ts'
import { type Clock, systemClock } from './clock.ts'
import { createConversationOf } from './conversation-of.ts'
import { createDeadlines } from './deadlines.ts'
import { bodies, type Decide } from './decision.ts'
import { createDrivenQuestions } from './driven-questions.ts'
import { createDriving } from './driving.ts'
import { createExpected } from './expected.ts'
import { createForgetting, withdrawn } from './forgetting.ts'
import { createHolds } from './holds.ts'
import { followerOf, type Listener, type Signal } from './listener.ts'
import { createMountedCalls } from './mounted-calls.ts'
import { createOutcome } from './outcome.ts'
import { createPolicing, NO_POLICY, type Policy } from './policing.ts'
import { createPresence } from './presence.ts'
import { openProjection } from './projection.ts'
import { createReading } from './reading.ts'
import { createReceived } from './received.ts'
import { createReceiving } from './receiving.ts'
import { createReception } from './reception.ts'
import { createRevising } from './revising.ts'
import { createRooms } from './rooms.ts'
import { createRuleMaking } from './rule-making.ts'
import { createSettling } from './settling.ts'
import { createStarting } from './starting.ts'
import { steady } from './steady.ts'
import { createWaiters } from './waiters.ts'

export type Acts = ReturnType<typeof createActs>

export interface ActsParts {
  journal: Journal
  views: Views
  /** Without it nothing can be attached. */
  files?: Pick<FileStore, 'attach' | 'moment' | 'remove'>
  clock?: Clock
  /** Told before a conversation is gone whose last entry this is. */
  forgetting?(conversation: string, by: string, last: string): Promise<void>
  textLimitBytes?: number
  /** Without it a person is asked about every call. */
  policy?: Policy
  /** Told of what went wrong and nobody else hears of. */
  report(error: unknown): void
  /** The journal cannot be followed any more, so that nothing here is true from now on. */
  failed(error: unknown): void
}

/** Everything that can be done, by anyone. Nobody outside gets it: views are made of it. */
export function createActs({ views, files, report, failed, ...parts }: ActsParts) {
  const { clock = systemClock, textLimitBytes = TEXT_LIMIT_BYTES, policy = NO_POLICY } = parts
  const journal = steady(parts.journal, report)
  const rooms = createRooms({ journal, views, textLimitBytes, report, openOf: (asker) => projection.openOf(asker) })
  const waiters = createWaiters()
  const policing = createPolicing({ policy, now: clock.now })
  const deadlines = createDeadlines({ clock, report, expire: (question) => settling.expire(question) })
  const projection = openProjection({
    journal,
    views,
    report,
    opened(question, { conversation, expires_at }) {
      if (expires_at !== undefined) deadlines.set(question, expires_at)
      presence.look(conversation)
    },
    settled(settlement, { conversation }) {
      deadlines.forget(settlement.body.question)
      waiters.settled(settlement.body.question, settlement)
      presence.look(conversation)
    },
    happened(entry) {
      driving.happened(entry)
      mountedCalls.happened(entry)
      presence.happened(entry.conversation, entry.body)
    },
    failed(error) {
      waiters.close(new ParleyError('log_failed', {}, error))
      failed(error)
    },
  })
  const presence = createPresence({
    clock,
    hasOpenQuestion: projection.isAnyIn,
    changed: (conversation, status) => signal(conversation, { type: 'agent', status }),
  })
  const driving = createDriving({
    clock,
    presence,
    driven: (news) => signal(news.conversation, { type: 'driven', news }),
    grown: (grown) => signal(grown.conversation, { type: 'grown', grown }),
  })
  const attached = createAttaching(files)
  const isRevised = (message: string) => projection.revisionOf(message) !== undefined
  const reading = createReading({ journal, views, titleOf: async (id) => (await rooms.state(id)).title, isRevised })
  const { entry } = reading
  const conversationOf = createConversationOf({ placeOf: projection.placeOf, entry })
  const received = createReceived({ memo: reading.memo, report })
  const holds = createHolds({ memo: reading.memo, clock })
  holds.onEnd(driving.end)
  const { revise, ...revising } = createRevising({
    append: appendToKnown,
    settled: (conversation) => rooms.append(conversation, () => []),
    entry,
    find: async (conversation, key) => (await views.find(conversation, key)) as Entry | undefined,
    revisionOf: projection.revisionOf,
    reached: projection.reached,
    received,
  })
  const answering = createAnswering({ entry, amended })
  const settling = createSettling({ append, placeOf: projection.placeOf, conversationOf, attached })
  const { expire: _, settleAfter: __, ...verdicts } = settling
  const [expected, carried] = [createExpected(), createExpected()]
  const outcome = createOutcome({ views, projection, waiters, conversationOf })
  const isHeld = async (conversation: string) => (await holds.holdOf(conversation)) !== undefined
  const mountedCalls = createMountedCalls({ rooms, views, projection, entry, outcome, isHeld })
  const reception = createReception({
    rooms,
    views,
    presence,
    textLimitBytes,
    put: policing.put,
    attached,
    report,
    received,
    expected,
    carried,
    isHeld,
    owed: projection.calls,
    amended,
    beginning: answering.beginning,
    entry,
    outcome,
    conversationOf,
    withdraw: settling.withdraw,
    now: clock.now,
  })
  const { memo } = reading
  const forgetting = createForgetting({ ...parts, journal, views, rooms, projection, memo, files, report })
  const starting = createStarting({
    append,
    appendToKnown,
    attached,
    runners: driving.runners,
    drivenIn: driving.drivenIn,
    hasAgent: (conversation) => presence.seated().includes(conversation),
  })
  return {
    clock,
    ready: projection.ready,
    reception,
    mountedCalls,
    holds,
    drivenQuestions: createDrivenQuestions({ rooms, put: policing.put, conversationOf }),
    ...createReceiving({ rooms, views, entry, amended, received, expected, carried }),
    runnerOf,
    driving,
    ...starting,
    forget,
    erased: forgetting.erased,
    post,
    revise,
    amended,
    beginning: answering.beginning,
    received,
    report,
    record,
    ...verdicts,
    ...createRuleMaking({ rooms, policy, policing, settling, conversationOf, projection, report }),
    revoke,
    interrupt,
    rename,
    conversation: rooms.state,
    conversationOf,
    conversations,
    current,
    spokenInLast,
    ...reading,
    lastSaid,
    follow,
    agentState: presence.stateOf,
    agentStatus: presence.statusOf,
    agents: presence.present,
    seated: presence.seated,
    openQuestions: projection.count,
    roomsInMemory: rooms.count,
    stopWaiting: () => waiters.close(new ParleyError('shutting_down')),
    close,
  }

  async function post(conversation: string, { attachments, ...message }: Posting, key?: string): Promise<Entry> {
    const decide = () => bodies({ kind: 'message', ...message, ...attached(attachments) })
    return answering.inTurn(conversation, message.answers, () => append(conversation, decide, key))
  }

  /** The entries as they are to be read; which of them were changed is known once the whole log is. */
  async function amended(entries: Entry[]): Promise<Entry[]> {
    await projection.ready
    return revising.amended(entries)
  }

  /** The runner that the person gave the conversation to, as far as everything up to an entry says. */
  async function runnerOf({ id, conversation }: Pick<Entry, 'id' | 'conversation'>): Promise<string | undefined> {
    await projection.reached(id)
    return projection.runnerOf(conversation)
  }

  /** What an agent does besides talking. */
  async function record(conversation: string, deed: Deed | Title, key?: string): Promise<Entry> {
    return append(conversation, () => bodies(deed), key)
  }

  /** What is open needs no answer any more; the agent is told with its waiting or next call. */
  async function interrupt(conversation: string, words = 'Stop', by: string, key?: string): Promise<Entry> {
    const stop: Body = { kind: 'message', author: 'user', by, text: words, interrupt: true }
    return appendToKnown(conversation, (state) => bodies(...withdrawn(state, by), stop), key)
  }

  async function forget(conversation: string, by: string, upTo?: string): Promise<void> {
    await forgetting.forget(conversation, by, upTo)
    driving.forget(conversation)
    await holds.look(conversation)
  }

  /** The tool, which was always allowed there, is asked about again. */
  async function revoke(conversation: string, tool: string, by: string, key?: string): Promise<Entry> {
    return appendToKnown(conversation, (state) => bodies(revoked(state, tool, by)), key)
  }

  async function rename(conversation: string, title: string, key?: string): Promise<Entry> {
    return appendToKnown(conversation, () => bodies({ kind: 'title', title }), key)
  }

  /** Newest first. */
  async function conversations({ before, limit }: { before?: string; limit: number }): Promise<Conversation[]> {
    const page = await views.conversations({ before, limit })
    return Promise.all(page.map((last) => rooms.state(last.conversation)))
  }

  /** Those with an agent or a question open, the oldest open question first. */
  async function current(): Promise<string[]> {
    await projection.ready
    return [...new Set([...projection.conversations(), ...presence.seated()])]
  }

  /** The conversation of the last message of all. */
  async function spokenInLast(): Promise<string | undefined> {
    const { said } = await lastSaid(undefined)
    // The one that it was in may be forgotten.
    return ((await entry(said)) ?? (await reading.page(undefined, { limit: 1 })).entries[0])?.conversation
  }

  /** The ids of the last entry and of the last message, of one conversation or of all. */
  async function lastSaid(conversation: string | undefined): Promise<{ at: string; said: string }> {
    if (conversation !== undefined) {
      const { last: at, said } = await rooms.state(conversation)
      return { at, said }
    }
    await projection.ready
    return projection.lastSaid()
  }

  function follow(from: { conversation?: string; after: string }, listener: Listener) {
    return journal.follow(from, followerOf(listener))
  }

  function signal(conversation: string, signal: Signal) {
    journal.signal(conversation, signal)
  }

  async function close() {
    forgetting.close()
    holds.close()
    driving.close()
    deadlines.close()
    presence.close()
    waiters.close(new ParleyError('shutting_down'))
    await rooms.close()
    projection.close()
    await journal.close()
  }

  function appendToKnown(conversation: string, decide: Decide, key?: string): Promise<Entry> {
    const known: Decide = (state) => {
      if (state.last === BEFORE_ALL) throw new ParleyError('unknown_conversation', { conversation })
      return decide(state)
    }
    return append(conversation, known, key)
  }

  async function append(conversation: string, decide: Decide, key?: string): Promise<Entry> {
    return (await rooms.append(conversation, decide, { key })).at(-1) as Entry
  }
}
