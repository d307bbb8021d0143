import type { Clock } from '../../io/clock.ts'
import type { AgentState } from '../../protocol/entries/agent-state.ts'
import type { Body } from '../../protocol/entries/entry.ts'
import type { DrivenState } from '../../protocol/frames/driving.ts'

export type Presence = ReturnType<typeof createPresence>

/** An agent that has a session, for as long as it has. */
export interface Present {
  /** A call begins, perhaps to ask the person. What is returned is to be called at its end. */
  calls(asks: boolean): () => void
  /** Its client has a request or a stream open until then. */
  attends(until: Promise<unknown>): void
  leave(): void
}

export interface AgentStatus {
  state: AgentState
  /** The time when it became so. */
  since: number
  /** The time when the agent was last active. */
  seen: number
  /** The conversation that it is of, where none was asked for. */
  conversation?: string
}

export interface Entering {
  /** There is nothing that closes when its client ends: it is there while it has a request open, and a while longer. */
  byRequests?: boolean
}

interface PresenceParts {
  clock: Clock
  hasOpenQuestion(conversation: string): boolean
  changed(conversation: string, status: AgentStatus): void
}

interface SessionPresence {
  calls: number
  asking: number
  /** How many requests and streams are open. */
  open: number
  /** It is there until then although none is. */
  until: number
}

interface ConversationPresence {
  sessions: Set<SessionPresence>
  /** The driver's word on the agent, while it has one. */
  driver?: DrivenState
  /** Tools whose result is missing, by who uses them, and until when that is believed. */
  steps: Map<string, { count: number; until: number }>
  seen: number
  worksUntil: number
  alarm?: { at: number; cancel(): void }
}

/** How long an agent counts as working after its last activity. */
export const ACTIVITY_MS = 20_000
/** A result that is missing for longer was forgotten. */
const STEP_MS = 5 * 60_000
/** A client of single requests is gone so long after the last one. */
const STAY_MS = 60_000

/** The first that an agent is in, of all its conversations, is what it does. */
const BUSIEST: AgentState[] = ['waiting', 'working', 'backgrounded', 'idle']

/** The conversations that have an agent, and what it does. Never stored: after a restart the agents show up again. */
export function createPresence({ clock, hasOpenQuestion, changed }: PresenceParts) {
  const places = new Map<string, ConversationPresence>()
  const known = new Map<string, AgentStatus>()
  let lastGone = clock.now()
  const unknown: AgentStatus = { state: 'gone', since: lastGone, seen: lastGone }
  return { enter, drive, happened, look, stateOf, statusOf, present, withAgents, isTaken: isTakenIn, close }

  function enter(conversation: string, { byRequests = false }: Entering = {}): Present {
    const now = clock.now()
    const session: SessionPresence = {
      calls: 0,
      asking: 0,
      open: byRequests ? 0 : 1,
      until: byRequests ? now + STAY_MS : 0,
    }
    const place = placeOf(conversation)
    place.sessions.add(session)
    place.seen = now
    look(conversation)
    return { calls, attends, leave }

    function calls(asks: boolean) {
      add(1)
      return () => add(-1)

      function add(one: number) {
        session.calls += one
        if (asks) session.asking += one
        if (place.sessions.has(session)) active(place)
        look(conversation)
      }
    }

    function attends(until: Promise<unknown>) {
      session.open++
      look(conversation)
      void until.then(() => {
        session.open--
        session.until = clock.now() + STAY_MS
        look(conversation)
      })
    }

    function leave() {
      place.sessions.delete(session)
      if (place.sessions.size === 0) endTurn(place)
      look(conversation)
    }
  }

  /** Takes the driver's word on the agent, for as long as somebody drives it. */
  function drive(conversation: string, state: DrivenState | undefined) {
    const place = placeOf(conversation)
    place.driver = state
    if (state === undefined) endTurn(place)
    else place.seen = clock.now()
    look(conversation)
  }

  /** Entries of an agent are activity, whether it has a session or not. */
  function happened(conversation: string, body: Body) {
    if (!isActivity(body)) return
    const place = placeOf(conversation)
    active(place)
    if (body.kind === 'tool_call' || body.kind === 'tool_result') step(place, body)
    if (body.kind === 'turn') endTurn(place, body.by)
    look(conversation)
  }

  function active(place: ConversationPresence) {
    place.seen = clock.now()
    place.worksUntil = place.seen + ACTIVITY_MS
  }

  function step(
    { steps, seen }: ConversationPresence,
    { kind, by, tool_name }: Extract<Body, { tool_name: string; by: string }>,
  ) {
    const name = stepOf(by, tool_name)
    for (const [forgotten, { until }] of steps) if (until <= seen) steps.delete(forgotten)
    const { count, until } = steps.get(name) ?? { count: 0, until: seen }
    if (kind === 'tool_call') steps.set(name, { count: count + 1, until: seen + STEP_MS })
    else if (count > 1) steps.set(name, { count: count - 1, until })
    else steps.delete(name)
  }

  /** Ends the turn of one agent there, or of all of them. */
  function endTurn(place: ConversationPresence, by?: string) {
    place.worksUntil = clock.now()
    for (const name of [...place.steps.keys()])
      if (by === undefined || name.startsWith(stepOf(by, ''))) place.steps.delete(name)
  }

  /** Tells everyone if the state is another than it was, and looks again when time alone changes it. */
  function look(conversation: string) {
    const place = places.get(conversation)
    if (!place) return
    const state = stateOf(conversation)
    if (state !== statusOf(conversation).state) {
      const now = clock.now()
      if (state === 'gone') lastGone = now
      const status = { state, since: now, seen: place.seen }
      known.set(conversation, status)
      changed(conversation, status)
    }
    if (state === 'gone' && !isTaken(place)) forget(conversation, place)
    else lookAgain(conversation, place)
  }

  /** An alarm that comes too early looks and is set again: most are put off before they ring. */
  function lookAgain(conversation: string, place: ConversationPresence) {
    const at = nextMoment(place, clock.now())
    if (at === Infinity || (place.alarm && place.alarm.at <= at)) return
    place.alarm?.cancel()
    const ring = () => {
      place.alarm = undefined
      look(conversation)
    }
    place.alarm = { at, ...clock.alarm(at, ring) }
  }

  /** The one rule for what an agent is said to do. */
  function stateOf(conversation: string): AgentState {
    const place = places.get(conversation)
    if (!place) return 'gone'
    const now = clock.now()
    let [isHere, calls, asks] = [false, false, false]
    for (const session of place.sessions) {
      if (session.open === 0 && session.until <= now) continue
      isHere = true
      calls ||= session.calls > 0
      asks ||= session.asking > 0
    }
    // A call that only asks does not wait yet: one that is always allowed is answered without anybody.
    const waits = asks && hasOpenQuestion(conversation)
    if (place.driver) return waits ? 'waiting' : place.driver === 'asleep' ? 'idle' : place.driver
    if (waits) return 'waiting'
    if (isHere && hasOpenQuestion(conversation)) return 'backgrounded'
    if (place.worksUntil > now) return 'working'
    if (!isHere) return 'gone'
    return calls || stepsUntil(place) > now ? 'working' : 'idle'
  }

  /** The status of one conversation, or of the one with the busiest agent, if there is any. */
  function statusOf(conversation?: string): AgentStatus {
    if (conversation !== undefined) return known.get(conversation) ?? unknown
    const all = present().map((id) => ({ ...statusOf(id), conversation: id }))
    const [busiest] = BUSIEST.flatMap((wanted) => all.find(({ state }) => state === wanted) ?? [])
    return busiest ?? { state: 'gone', since: lastGone, seen: lastGone }
  }

  /** The conversations that have an agent. */
  function present(): string[] {
    return [...places.keys()].filter((conversation) => stateOf(conversation) !== 'gone')
  }

  /** Those that an agent has a session in, be it there or expected back, and those where one is driven and awake. */
  function withAgents(): string[] {
    const isAwake = (place: ConversationPresence) =>
      isTaken(place) && (place.sessions.size > 0 || place.driver !== 'asleep')
    return [...places].flatMap(([conversation, place]) => (isAwake(place) ? [conversation] : []))
  }

  /** Whether an agent has a session there, be it there or expected back, or somebody drives one. */
  function isTakenIn(conversation: string): boolean {
    const place = places.get(conversation)
    return place !== undefined && isTaken(place)
  }

  function placeOf(conversation: string): ConversationPresence {
    const place = places.get(conversation) ?? { sessions: new Set(), steps: new Map(), seen: 0, worksUntil: 0 }
    places.set(conversation, place)
    return place
  }

  function forget(conversation: string, place: ConversationPresence) {
    place.alarm?.cancel()
    places.delete(conversation)
  }

  function close() {
    for (const [conversation, place] of places) forget(conversation, place)
  }
}

/** An agent that asks has a session, and its call is the activity. */
function isActivity(body: Body): boolean {
  switch (body.kind) {
    case 'message':
      return body.author === 'assistant'
    case 'tool_call':
    case 'tool_result':
    case 'thinking':
    case 'plan':
    case 'progress':
    case 'error':
    case 'turn':
      return true
    default:
      return false
  }
}

function isTaken({ sessions, driver }: ConversationPresence): boolean {
  return sessions.size > 0 || driver !== undefined
}

function stepsUntil({ steps }: ConversationPresence): number {
  let last = 0
  for (const { until } of steps.values()) last = Math.max(last, until)
  return last
}

/** The first moment after now at which time alone may change what it does. */
function nextMoment(place: ConversationPresence, now: number): number {
  let next = Infinity
  consider(place.worksUntil)
  consider(stepsUntil(place))
  for (const { until } of place.sessions) consider(until)
  return next

  function consider(moment: number) {
    if (moment > now && moment < next) next = moment
  }
}

/** A name holds no line break, so no two pairs share one. */
function stepOf(by: string, tool: string): string {
  return `${by}\n${tool}`
}
