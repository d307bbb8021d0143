import { type ClearTexts, rememberClearTexts } from '../files/clear-texts.ts'
import type { FileStore } from '../files/file-store.ts'
import { type Clock, systemClock } from '../io/clock.ts'
import type { Journal } from '../log/journal.ts'
import type { Notes } from '../log/notes.ts'
import type { Views } from '../log/views.ts'
import { isForDriver } from '../protocol/entries/agent.ts'
import type { Body, Deed, Entry, Title } from '../protocol/entries/entry.ts'
import type { ConversationState } from '../protocol/entries/fold.ts'
import { ParleyError } from '../protocol/errors.ts'
import { TEXT_LIMIT_BYTES } from '../protocol/text/text.ts'
import { createMountedCalls } from './approvals/mounted-calls.ts'
import { type ApprovalPolicy, createPolicing, type Mounted, NO_POLICY } from './approvals/policing.ts'
import { createRevealing } from './approvals/revealing.ts'
import { createRuleMaking } from './approvals/rule-making.ts'
import { createStanding } from './approvals/standing.ts'
import { createAppending } from './conversation/appending.ts'
import { createConversationOf } from './conversation/conversation-of.ts'
import { bodies } from './conversation/decision.ts'
import { createForgetting, type ForgettingParts } from './conversation/forgetting.ts'
import { ofAgent } from './conversation/of-agent.ts'
import { openProjection } from './conversation/projection.ts'
import { createRooms } from './conversation/rooms.ts'
import { steady } from './conversation/steady.ts'
import { createAgentService } from './delivery/agent-service.ts'
import { createLedger } from './delivery/ledger.ts'
import { createReceiving } from './delivery/receiving.ts'
import { createVisits } from './delivery/visits.ts'
import { createChangesOf } from './driving/asked/changes-of.ts'
import { createChoicesOf } from './driving/asked/choices-of.ts'
import { createDrivenQuestions } from './driving/driven-questions.ts'
import { createDriving } from './driving/driving.ts'
import { createGiving } from './driving/giving.ts'
import { createLeases } from './driving/leases.ts'
import { createPresence } from './driving/presence.ts'
import { createCatchingUp } from './hubs/catching-up.ts'
import { createFencing } from './hubs/fencing.ts'
import { openRoster } from './hubs/roster.ts'
import { followerOf, type Listener, type Signal } from './listener.ts'
import { createAttaching, type Posting } from './people/attaching.ts'
import { createRevising } from './people/revising.ts'
import { createSteering } from './people/steering.ts'
import { createUploads } from './people/uploads.ts'
import { createAbandoned } from './questions/abandoned.ts'
import { createAnswering } from './questions/answering.ts'
import { type Naming, titled } from './questions/asking.ts'
import { createDeadlines } from './questions/deadlines.ts'
import type { Taken } from './questions/open-limits.ts'
import { createOutcome } from './questions/outcome.ts'
import { createOverdue } from './questions/overdue.ts'
import { createSettling } from './questions/settling.ts'
import { createWaiters } from './questions/waiters.ts'
import { createListing } from './reading/listing.ts'
import { createLooks } from './reading/looks.ts'
import { createReading } from './reading/reading.ts'

export type ChatService = ReturnType<typeof createChatService>

export interface ChatServiceParts extends Pick<ForgettingParts, 'forgetting'> {
  journal: Journal
  views: Views
  notes: Notes
  /** Without it, nothing can be attached. */
  files?: Pick<FileStore, 'attach' | 'moment' | 'remove'>
  /** The texts that are masked in the log. */
  clear?: ClearTexts
  clock?: Clock
  /** Lets go of what else names a forgotten conversation, as far as `who` may. Throws what is left to do. */
  forgotten?(conversation: string, who: { by: string; administers: boolean }): Promise<void>
  textLimitBytes?: number
  /** Without it, a person is asked about every call. */
  policy?: ApprovalPolicy
  /** Without it, no tool is a mounted one. */
  mounted?: Mounted
  /** Receives errors that no caller will see. */
  report(error: unknown): void
  /** The journal cannot be followed any more, so that nothing here is true from now on. */
  failed(error: unknown): void
}

/** Everything that can be done, by anyone. Nobody outside gets it: views are made of it. */
export function createChatService({ views, notes, files, report, failed, ...parts }: ChatServiceParts) {
  const { clock = systemClock, textLimitBytes = TEXT_LIMIT_BYTES, policy = NO_POLICY } = parts
  const { clear = rememberClearTexts(), mounted = () => undefined } = parts
  const journal = steady(parts.journal, report)
  const signal = (conversation: string, signal: Signal) => journal.signal(conversation, signal)
  /** The one place that names parts before they are made; nothing of it is called until all are. */
  const below = {
    openOf: (payer: string): Taken => projection.openOf(payer),
    expire: (question: string): Promise<Entry> => settling.expire(question),
    look: (conversation: string): void => presence.look(conversation),
    isInUse: (conversation: string): boolean => presence.isTaken(conversation) || projection.isAnyIn(conversation),
    happened(entry: Entry, wanted?: string): void {
      driving.happened(entry, wanted)
      mountedCalls.happened(entry)
      presence.happened(entry.conversation, entry.body)
    },
  }
  const looks = createLooks(below.isInUse)
  const rooms = createRooms({ journal, views, clear, textLimitBytes, report, openOf: below.openOf, looks })
  const { append, appendToKnown } = createAppending(rooms)
  const waiters = createWaiters()
  const policing = createPolicing({ policy, mounted, now: clock.now })
  const deadlines = createDeadlines({ clock, report, waiters, expire: below.expire })
  const overdue = createOverdue({ clock, report })
  const projection = openProjection({
    journal,
    views,
    looks,
    report,
    opened(question, { conversation, expires_at }) {
      if (expires_at !== undefined) deadlines.set(question, expires_at)
      below.look(conversation)
    },
    settled(settlement, { conversation }) {
      deadlines.forget(settlement.body.question)
      overdue.forget(settlement.body.question)
      waiters.settled(settlement.body.question, settlement)
      below.look(conversation)
    },
    happened: below.happened,
    failed(error) {
      stopWaiting(new ParleyError('log_failed', {}, error))
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
  const caughtUp = createCatchingUp({ journal, projection, clock })
  const reading = createReading({ journal, views, stateOf: rooms.state, projection, caughtUp })
  const { entry, page } = reading
  const uploads = createUploads({ notes, views, report })
  const conversationOf = createConversationOf({ placeOf: projection.placeOf, entry })
  const leases = createLeases({ notes, clock, report })
  leases.onEnd(driving.end)
  const roster = openRoster({ journal, clock, report })
  const fencing = createFencing({ rooms, projection, leases, roster })
  const { revise, ...revising } = createRevising({
    append: appendToKnown,
    settled,
    entry,
    find: async (conversation, key) => (await views.find(conversation, key)) as Entry | undefined,
    revisionOf: projection.revisionOf,
    reached: projection.reached,
  })
  const answering = createAnswering({ entry, amended })
  const { placeOf, ready, conversations } = projection
  const outcome = createOutcome({ views, projection, waiters, conversationOf })
  const { reveal, clearInput } = createRevealing({ clear, entry, placeOf, outcome })
  const settling = createSettling({ append, placeOf, conversationOf, attached, policing, overdue, clearInput })
  const { expire: _, settleAfter: __, giveUp, wanted: ___, ...verdicts } = settling
  const ledger = createLedger({ rooms, report })
  const visits = createVisits(clock)
  const isOwed = (call: string) => {
    const owed = projection.calls().get(call)
    return owed !== undefined && isForDriver(owed.visit)
  }
  const decided = { policing, outcome, clearInput, visits, ledger, roster }
  const mountedCalls = createMountedCalls({ rooms, views, projection, entry, isHeld: leases.isHeld, ...decided })
  const agentService = createAgentService({
    rooms,
    views,
    presence,
    textLimitBytes,
    put: policing.put,
    attached,
    ledger,
    isHeld: leases.isHeld,
    visits,
    projection,
    revisions: revising.revisions,
    beginning: answering.beginning,
    entry,
    outcome,
    conversationOf,
    giveUp,
    isWanted: overdue.forget,
    now: clock.now,
  })
  const kept = { clear, notes, files, uploads, journal, views, rooms, projection, report }
  const forgetting = createForgetting({ ...parts, ...kept })
  const giving = createGiving({
    ...{ append, appendToKnown, fencing, attached, driving, presence, visits, projection, notes, clock, report },
    ...{ state: rooms.state, page, inTurn: answering.inTurn },
  })
  return {
    clock,
    ready,
    agentService,
    visits,
    ...createAbandoned({ clock, ready, conversations, stateOf: rooms.state, withdraw: agentService.withdraw, report }),
    mountedCalls,
    leases,
    drivenQuestions: createDrivenQuestions({ fencing, put: policing.put, conversationOf }),
    ...createReceiving({ rooms, fencing, views, entry, revisions: revising.revisions, ledger, isOwed }),
    ...{ runnerOf, driving, owedBy: projection.owedBy },
    ...createChangesOf({ leases, driving, projection, page, report }),
    ...createChoicesOf({ leases, driving, projection }),
    ...giving.service,
    forget,
    forgotten: parts.forgotten,
    erased: forgetting.erased,
    post,
    revise,
    amended,
    beginning: answering.beginning,
    report,
    record,
    ...verdicts,
    ...createRuleMaking({ rooms, policy, policing, settling, conversationOf, clearInput, projection, report }),
    reveal,
    ...createSteering({ appendToKnown }),
    conversation: rooms.state,
    conversationOf,
    ...createListing({ rooms, views, projection, presence, reading }),
    ...createStanding({ rooms, views, policing, settling, projection, report }),
    ...reading,
    uploads,
    follow,
    agentState: presence.stateOf,
    agentStatus: presence.statusOf,
    agents: presence.present,
    withAgents: presence.withAgents,
    openQuestions: projection.count,
    roomsInMemory: rooms.count,
    stopWaiting,
    close,
  }

  /** An agent's own conversation has a name when it begins. */
  async function post(conversation: string, { attachments, ...message }: Posting, key?: string, naming?: Naming) {
    const body = (): Body => ({ kind: 'message', ...message, ...attached(attachments) })
    return append(conversation, (state) => bodies(...titled(state, naming), body()), key)
  }

  async function settled(conversation: string): Promise<ConversationState> {
    await rooms.append(conversation, () => [])
    return rooms.state(conversation)
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

  /** Records what an agent does besides talking. */
  async function record(conversation: string, deed: Deed | Title, key?: string, naming?: Naming): Promise<Entry> {
    if ('call_id' in deed && deed.call_id !== undefined) await mountedCalls.mustBeOthers(conversation, deed.call_id)
    return append(conversation, (state) => bodies(...titled(state, naming), ofAgent(state, deed)), key)
  }

  async function forget(conversation: string, by: string, upTo?: string) {
    await forgetting.forget(conversation, by, upTo)
    driving.forget(conversation)
  }

  function follow(from: { conversation?: string; after: string }, listener: Listener) {
    return journal.follow(from, followerOf(listener))
  }

  function stopWaiting(why = new ParleyError('shutting_down')) {
    waiters.close(why)
    mountedCalls.stopWaiting(why)
  }

  async function close() {
    forgetting.close()
    leases.close()
    uploads.close()
    giving.close()
    driving.close()
    deadlines.close()
    overdue.close()
    presence.close()
    stopWaiting()
    await rooms.close()
    projection.close()
    roster.close()
    await journal.close()
  }
}
