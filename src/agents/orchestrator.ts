import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Transport } from '@modelcontextprotocol/client'
import { orUndo } from '../io/or-undo.ts'
import { onClockJump } from '../io/time/stopwatch.ts'
import type { DeliveryTiming } from '../protocol/entries/run-settings.ts'
import type { DrivingAnswer, DrivingRequest } from '../protocol/frames/asked/driving-request.ts'
import type { DrivingEvent, Runner } from '../protocol/frames/driving.ts'
import { isRefusal } from '../protocol/refusal.ts'
import { keptBeside } from './changes/kept.ts'
import { type DrivenConversation, driveConversation } from './driven-conversation.ts'
import type { DrivenSession, Driver, Happening, ParleyServer } from './driver.ts'
import { openHubLink } from './hub-link.ts'
import { createConsumer } from './inbox-consumer.ts'
import { createLists } from './lists/lists.ts'
import { shortSentence } from './lists/short-lists.ts'
import { createRequests } from './requests.ts'
import { offerRunner } from './runner.ts'
import { createSessions } from './sessions.ts'
import { openStore } from './store.ts'
import type { UserText } from './user-text.ts'

/** Three times before a lease of a conversation is over. */
const RENEW_MS = 20_000
/** The number of earlier conversations that are held from the start; the others are held again when somebody speaks. */
const MOST_HELD = 100
/** A turn is told to its end and what is held is let go in this time, or never. */
const GOODBYE_MS = 5000
const STARTING = 'It is just starting'

export interface OrchestratorParts {
  driver: Driver
  /** An absolute path. */
  folder: string
  name: string
  /** The only one that is driven; without it, every conversation that people begin with us. */
  conversation?: string
  /** Whether it answers where nobody else does and nobody chose. */
  isDefault?: boolean
  /** It is tried out before anybody can begin with it. */
  triesFirst?: boolean
  maxSessions: number
  idleMs: number
  delivery: DeliveryTiming
  /** The file of what must not be forgotten. */
  state: string
  connect(): Promise<Transport> | Transport
  /** Whether the hub knows us by a token. */
  hasToken: boolean
  parley(conversation: string): Promise<ParleyServer>
  report(error: unknown): void
}

export type Orchestrator = Awaited<ReturnType<typeof openOrchestrator>>

/** Turns agents of one kind into partners of conversations, for as long as it is open. */
export async function openOrchestrator(parts: OrchestratorParts) {
  const { driver, folder, name, conversation: only, delivery, parley, report } = parts
  const store = openStore(parts.state, storeChanged)
  const state = parts.state === ':memory:' ? join(tmpdir(), `parley-${store.holder}`) : parts.state
  const conversations = new Map<string, DrivenConversation>()
  /** What its agents can do, as one of them told last. */
  const lists = createLists()
  const sessions = createSessions({
    max: parts.maxSessions,
    idleMs: parts.idleMs,
    start,
    ended: (conversation, problem) => conversations.get(conversation)?.sessionEnded(problem),
  })
  const consumer = createConsumer({
    store,
    conversation: only,
    isOurs: ({ runner }) => only !== undefined || runner === name,
    said,
    happened,
    forgotten,
    report,
  })
  let offered = offer({ ...(parts.triesFirst && { problem: STARTING }) })
  let runner: Awaited<ReturnType<typeof offerRunner>> | undefined
  let requests: ReturnType<typeof createRequests> | undefined
  const link = await opened(() =>
    openHubLink({
      connect: parts.connect,
      name: driver.name,
      uris: consumer.uris,
      subscriber: parts.hasToken ? undefined : `runner ${name}`,
      isRunner: only === undefined,
      updated: consumer.updated,
      requested: (told) => requests?.requested(told),
      reconnected,
    }),
  )
  requests = createRequests({ holder: store.holder, call: link.call, answer, report })
  if (only === undefined)
    runner = await opened(() => offerRunner({ link, holder: store.holder, report, runner: offered }), link)
  const renewing = setInterval(renewAll, RENEW_MS)
  const jumps = onClockJump(jumped)
  for (const conversation of new Set([...(only ? [only] : store.newestSessions(MOST_HELD)), ...store.unfinished()]))
    driven(conversation)
  renewAll()
  await consumer.follow(link)
  return { tryOut, close, gaveUp: link.gaveUp }

  /** Whether an agent can be had here, and what it can do; throws the sentence that says why not. */
  async function tryOut() {
    const happens = (happening: Happening) => {
      if (happening.type === 'controls') offerWith(lists.learn(happening))
    }
    const agent = await driver.start({ conversation: name, folder, parley: await parley(name), happens })
    await agent.stop()
    offerWith({})
  }

  /** People see it in the list of runners, too, when no agent can be had. */
  async function start(conversation: string): Promise<DrivenSession> {
    const session = await orUndo(
      () => driven(conversation).start(),
      (error) => {
        const login = isRefusal(error, 'agent_login') && { login: true as const }
        if (isRefusal(error)) runner?.change({ ...offered, problem: shortSentence(error.message), ...login })
      },
    )
    offerWith({})
    return session
  }

  function offerWith({ modes = offered.modes, models = offered.models }: Pick<Runner, 'modes' | 'models'>) {
    offered = offer({ modes, models, problem: store.problem()?.message })
    runner?.change(offered)
  }

  /** Its disk is full, or is not any more. */
  function storeChanged() {
    const problem = store.problem()
    if (problem) report(problem)
    offerWith({})
    for (const conversation of conversations.values()) conversation.show()
  }

  function offer(more: Pick<Runner, 'modes' | 'models' | 'problem'>): Runner {
    const own = { name, folder, agent: driver.name, max_sessions: parts.maxSessions }
    return { ...own, ...(parts.isDefault && { default: true }), ...more }
  }

  /** What cannot be opened leaves nothing open. */
  function opened<Open>(open: () => Promise<Open>, before?: { close(): Promise<void> }): Promise<Open> {
    return orUndo(open, async () => {
      await before?.close()
      store.close()
    })
  }

  function driven(conversation: string): DrivenConversation {
    const known = conversations.get(conversation)
    if (known) return known
    const fresh = driveConversation({
      conversation,
      runner: only === undefined ? name : undefined,
      folder,
      driver,
      delivery,
      store,
      link,
      sessions,
      parley,
      report,
      kept: keptBeside(state, conversation),
      controls(controls, whole) {
        lists.learn(whole)
        offerWith(controls)
      },
    })
    conversations.set(conversation, fresh)
    return fresh
  }

  function said(texts: UserText[]) {
    for (const [conversation, own] of Map.groupBy(texts, ({ conversation }) => conversation))
      driven(conversation).said(own)
  }

  function happened(event: DrivingEvent) {
    const isOurs = event.type === 'wish' && (only !== undefined || event.runner === name)
    if (isOurs && event.resume !== undefined) {
      store.saveResumed(event.session_id, event.resume)
      driven(event.session_id).said([])
    }
    const conversation = conversations.get(event.session_id)
    if (!conversation) return
    conversation.happened(event)
    // The person gave it to another runner.
    if (only === undefined && event.type === 'wish' && event.runner !== undefined && event.runner !== name) {
      conversations.delete(event.session_id)
      const session = store.agentSession(event.session_id)
      store.dropSession(event.session_id)
      conversation
        .close()
        .then(conversation.dropChanges)
        .then(() => forgetSession(session))
        .catch(report)
    }
  }

  /** Of what was never driven here, nothing is known. */
  async function answer(request: DrivingRequest): Promise<DrivingAnswer> {
    const { session_id: conversation } = request
    if (request.type === 'choices')
      return { choices: (conversation && conversations.get(conversation)?.choices(request)) || lists.page(request) }
    if (store.agentSession(request.session_id) === undefined) return {}
    return { changes: await driven(request.session_id).changes(request.path) }
  }

  /** Nothing of them stays here either. */
  async function forgotten(names: string[]) {
    for (const conversation of names) {
      const open = driven(conversation)
      conversations.delete(conversation)
      await open.forget().catch(report)
      await forgetSession(store.agentSession(conversation))
      await store.patiently(() => store.forget(conversation))
    }
    if (only !== undefined && names.includes(only)) driven(only).renew().catch(reportUnlessClosing)
  }

  async function forgetSession(session: string | null | undefined) {
    if (session) await driver.forget?.(session)
  }

  /** A hub that is new to us, or new itself, has to be told everything again. */
  function reconnected() {
    consumer.reconnected()
    for (const conversation of conversations.values()) conversation.showAnew().catch(reportUnlessClosing)
    runner?.renew()
  }

  /** Leases may be over, and with them what the hub knew of us. */
  function jumped() {
    renewAll()
    runner?.renew()
  }

  function renewAll() {
    for (const conversation of conversations.values()) conversation.renew().catch(reportUnlessClosing)
  }

  function reportUnlessClosing(error: unknown) {
    if (!isRefusal(error, 'shutting_down')) report(error)
  }

  async function close() {
    clearInterval(renewing)
    jumps.close()
    await Promise.race([sayGoodbye().catch(reportUnlessClosing), pause(GOODBYE_MS, undefined, { ref: false })])
    await sessions.close()
    await link.close()
    store.close()
  }

  /** The hub may not be there. */
  async function sayGoodbye() {
    await Promise.all([...conversations.values()].map((conversation) => conversation.close()))
    await runner?.close()
  }
}
