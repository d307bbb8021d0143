import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { createStopwatch } from '../io/time/stopwatch.ts'
import type { DeliveryTiming } from '../protocol/entries/run-settings.ts'
import { ParleyError } from '../protocol/errors.ts'
import type { Driven, DrivingEvent } from '../protocol/frames/driving.ts'
import { folderChanges } from './changes/folder-changes.ts'
import type { DrivenSession, Driver, Happening, ParleyServer } from './driver.ts'
import { createHandover } from './handover.ts'
import { hubFor } from './hub.ts'
import type { HubLink } from './hub-link.ts'
import { createLists } from './lists/lists.ts'
import { shortSentence } from './lists/short-lists.ts'
import { nameFrom } from './name-from.ts'
import type { Sessions } from './sessions.ts'
import type { Store } from './store.ts'
import { knownOf } from './turns/doubt.ts'
import { sessionFor } from './turns/resumed.ts'
import { createTurns } from './turns/turns.ts'
import type { UserText } from './user-text.ts'
import { mustBeFolder } from './work-folder.ts'

/** The lease lasts this long after the last word of this process. */
const LEASE_SECONDS = 60
/** The lease is sure for this long, without asking again. */
const SURE_MS = 40_000
/** What people see comes behind what the agent waits for, and what changes together is shown together. */
const SHOW_MS = 20
/** The first words wait so long for the folder to be looked through, once the agent is there. */
const LOOKED_THROUGH_MS = 300

interface ConversationParts {
  conversation: string
  /** The name under which people begin conversations with us. */
  runner?: string
  folder: string
  /** A folder for what has to be kept of it. */
  kept: string
  driver: Driver
  delivery: DeliveryTiming
  store: Store
  link: Pick<HubLink, 'call' | 'read'>
  sessions: Sessions
  parley(conversation: string): Promise<ParleyServer>
  /** Called with what the agent can do, which is the same in every conversation. */
  controls(controls: Controls, whole: Parameters<ReturnType<typeof createLists>['learn']>[0]): void
  report(error: unknown): void
}

type Controls = Pick<Driven, 'modes' | 'models' | 'commands' | 'commands_total' | 'context'>
type RunSettings = Pick<Extract<DrivingEvent, { type: 'wish' }>, 'mode' | 'model' | 'delivery' | 'runner' | 'from'>

export type DrivenConversation = ReturnType<typeof driveConversation>

/** One conversation that is driven: held, told of, with turns and an agent that is there or asleep. */
export function driveConversation(parts: ConversationParts) {
  const { conversation, runner, folder, driver, store, link, sessions, parley, report } = parts
  const hub = hubFor({ link, conversation, holder: store.holder, leaseEnded })
  let settings: RunSettings = {}
  let held = false
  let leased: ReturnType<typeof createStopwatch> | undefined
  let session: DrivenSession | undefined
  let controls: Controls = {}
  const lists = createLists()
  /** What the agent says, and what keeps it from working. */
  let notice = ''
  let trouble = ''
  let shown = ''
  let showing: Promise<void> | undefined
  let showAgain = false
  const changes = folderChanges(folder, parts.kept)
  const turns = createTurns({
    conversation,
    store,
    hub,
    acquireLease: acquireToAct,
    takeSession,
    releaseSession: () => sessions.release(conversation),
    steers: () => (settings.delivery ?? parts.delivery) === 'steer',
    changed: show,
    trouble: troubled,
    report,
  })
  const handover = createHandover(turns.wake)
  return {
    said,
    happened,
    renew,
    show,
    showAnew,
    start,
    sessionEnded,
    changes: changes.read,
    choices: lists.page,
    dropChanges: changes.forget,
    close,
    forget,
  }

  function said(texts: UserText[]) {
    handover.begin()
    const stop = texts.findLast(({ stop }) => stop)
    if (stop) turns.stop(stop.id)
    turns.wake()
  }

  function happened(event: DrivingEvent) {
    if (event.type === 'settled') turns.settled(event)
    if (event.type === 'aborted') turns.abort(event.id)
    if (event.type === 'wish') changeSettings(event)
  }

  function changeSettings({ mode, model, delivery, runner: other }: RunSettings) {
    settings = { ...settings, ...defined({ mode, model, delivery, runner: other }) }
    if (mode !== undefined || model !== undefined) session?.choose(defined({ mode, model })).catch(report)
    show()
  }

  async function acquireToAct(): Promise<boolean> {
    if (isSure() || (await acquireLease())) return true
    handover.wait()
    return false
  }

  /** Whether we may act here, from now until the lease is over. */
  async function acquireLease(): Promise<boolean> {
    const asked = createStopwatch()
    const lease = await hub.call('hold_conversation', { seconds: LEASE_SECONDS })
    settings = lease.wish
    held = lease.held
    // The hub has forgotten what was shown when the last lease was over.
    if (!leased || leased() >= LEASE_SECONDS * 1000) shown = ''
    leased = held ? asked : undefined
    show()
    return held
  }

  function leaseEnded(): Promise<boolean> {
    leased = undefined
    return acquireLease()
  }

  function isSure(): boolean {
    return leased !== undefined && leased() < SURE_MS
  }

  /** Renews the lease before it is over. */
  async function renew() {
    const before = held
    if (await acquireLease()) return turns.wake()
    // Somebody else acts here now, and must be the only one.
    if (before) await sessions.sleep(conversation)
  }

  /** A hub that is new knows nothing of what was shown. */
  async function showAnew() {
    shown = ''
    await renew()
  }

  async function takeSession(signal: AbortSignal): Promise<DrivenSession> {
    const waits = () => troubled('All sessions of this runner are at work; this waits for one of them', false)
    const taken = await sessions.take(conversation, waits, signal)
    session = taken
    return taken
  }

  /** An agent for it, which goes on where the last one was as far as it can. */
  async function start(): Promise<DrivenSession> {
    mustBeFolder(folder)
    const { mode, model, from } = settings
    const tooLate = new AbortController()
    const looked =
      store.agentSession(conversation) === undefined ? changes.begin(tooLate.signal).catch(report) : undefined
    const known = knownOf(store, conversation)
    const started = await driver.start({
      ...{ conversation, folder, happens, behind: turns.behind, ...known },
      parley: await parley(conversation),
      ...sessionFor(conversation, store, from),
      ...defined({ mode, model }),
    })
    await Promise.race([looked, pause(LOOKED_THROUGH_MS, undefined, { signal: tooLate.signal }).catch(() => {})])
    tooLate.abort()
    store.saveSession(conversation, started.id)
    // What is in doubt is counted once that is over.
    if (started.prompts !== undefined && !known.doubtful) store.savePrompts(conversation, started.prompts)
    return started
  }

  function happens(happening: Happening) {
    switch (happening.type) {
      case 'controls': {
        const { type, ...news } = happening
        controls = { ...controls, ...lists.learn(defined(news)) }
        parts.controls(controls, news)
        return show()
      }
      case 'notice':
        notice = happening.text
        return show()
      case 'title':
        return post({ type: 'title', title: nameFrom(happening.title, conversation) })
      default:
        return turns.happens(happening)
    }
  }

  function sessionEnded(problem: string | undefined) {
    session = undefined
    turns.sessionEnded()
    notice = ''
    if (problem !== undefined && !turns.isPrompting()) {
      // It may have kept less than it was given.
      store.savePrompts(conversation, undefined)
      tellError(problem)
    }
    show()
  }

  /** The trouble is told once, and shown until it is over. */
  function troubled(sentence: string, asError = true) {
    if (sentence === trouble) return
    trouble = sentence
    if (sentence !== '' && asError) tellError(sentence)
    show()
  }

  function tellError(error: string) {
    post({ type: 'error', error })
  }

  function post(event: Record<string, unknown>) {
    hub.post({ tool: 'chat_assistant_event', input: { ...event, key: randomUUID() } }).catch(report)
  }

  function driven(): Driven {
    const state = turns.state()
    const turn_at = turns.began()
    const canSteer = session?.steer !== undefined
    const said = store.problem()?.message ?? (trouble || notice)
    return {
      state: state === 'idle' && !session ? 'asleep' : state,
      ...controls,
      ...(runner !== undefined && { runner }),
      ...(turn_at !== undefined && { turn_at }),
      ...(canSteer && { can_steer: true as const, delivery: settings.delivery ?? parts.delivery }),
      ...(said && { notice: shortSentence(said) }),
    }
  }

  /** What people see of it, if it is not that already. */
  function show() {
    if (!held) return
    if (showing) {
      showAgain = true
      return
    }
    showing = showNow().finally(() => {
      showing = undefined
      if (showAgain) show()
      showAgain = false
    })
  }

  async function showNow() {
    await pause(SHOW_MS)
    const now = driven()
    const words = JSON.stringify(now)
    if (words === shown || !held) return
    shown = words
    await hub.call('show_driven', { driven: now }).catch(refused)
  }

  function refused(error: unknown) {
    // It is held by somebody else now, which the next renewal finds out.
    if (!(error instanceof ParleyError)) report(error)
  }

  /** There is no such conversation any more: its agent ends, and nobody is told of it. */
  async function forget() {
    hub.end()
    held = false
    await close()
    await changes.forget()
  }

  async function close() {
    handover.end()
    await turns.close()
    await sessions.sleep(conversation)
    await showing
    leased = undefined
    if (held) await hub.call('release_conversation', {})
    held = false
  }
}

function defined<Value extends object>(value: Value): Value {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as Value
}
