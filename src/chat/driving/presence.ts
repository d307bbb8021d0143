import type { Clock } from '../../io/clock.ts'
import type { AgentState } from '../../protocol/entries/agent-state.ts'
import type { Body } from '../../protocol/entries/entry.ts'
import type { DrivenState } from '../../protocol/frames/driving.ts'

export type Presence = ReturnType<typeof createPresence>

/** An agent that has a seat, for as long as it has. */
export interface Present {
  /** A call begins, perhaps to ask the person. What is returned is to be called at its end. */
  calls(asks: boolean): () => void
  /** Its client has a request or a stream open until then. */
  attends(until: Promise<unknown>): void
  leave(): void
}

export interface AgentStatus {
  state: AgentState
  /** When it became so. */
  since: number
  /** When there was the last sign of the agent. */
  seen: number
  /** Where it is, when not asked of one conversation. */
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

interface Seated {
  calls: number
  asking: number
  /** How many requests and streams are open. */
  open: number
  /** It is there until then although none is. */
  until: number
}

interface Place {
  seats: Set<Seated>
  /** What its driver says of the agent, while it has one. */
  driver?: DrivenState
  /** Tools whose result is missing, by who uses them, and until when that is believed. */
  steps: Map<string, { count: number; until: number }>
  seen: number
  worksUntil: number
  alarm?: { at: number; cancel(): void }
}

/** After a sign of it an agent is said to work for so long. */
export const SIGN_MS = 20_000
/** A result that is missing for longer was forgotten. */
const STEP_MS = 5 * 60_000
/** Who comes by requests is gone so long after the last one. */
const STAY_MS = 60_000

/** The first that an agent is in, of all its conversations, is what it does. */
const BUSIEST: AgentState[] = ['waiting', 'working', 'backgrounded', 'idle']

/** Which conversations have an agent, and what it does. Never stored: after a restart the agents show up again. */
export function createPresence({ clock, hasOpenQuestion, changed }: PresenceParts) {
  const places = new Map<string, Place>()
  const known = new Map<string, AgentStatus>()
  let lastGone = clock.now()
  const unknown: AgentStatus = { state: 'gone', since: lastGone, seen: lastGone }
  return { enter, drive, happened, look, stateOf, statusOf, present, seated, isTaken: isTakenIn, close }

  function enter(conversation: string, { byRequests = false }: Entering = {}): Present {
    const now = clock.now()
    const seat: Seated = { calls: 0, asking: 0, open: byRequests ? 0 : 1, until: byRequests ? now + STAY_MS : 0 }
    const place = placeOf(conversation)
    place.seats.add(seat)
    place.seen = now
    look(conversation)
    return { calls, attends, leave }

    function calls(asks: boolean) {
      add(1)
      return () => add(-1)

      function add(one: number) {
        seat.calls += one
        if (asks) seat.asking += one
        if (place.seats.has(seat)) sign(place)
        look(conversation)
      }
    }

    function attends(until: Promise<unknown>) {
      seat.open++
      look(conversation)
      void until.then(() => {
        seat.open--
        seat.until = clock.now() + STAY_MS
        look(conversation)
      })
    }

    function leave() {
      place.seats.delete(seat)
      if (place.seats.size === 0) endTurn(place)
      look(conversation)
    }
  }

  /** What whoever drives the agent says of it, for as long as somebody does. */
  function drive(conversation: string, state: DrivenState | undefined) {
    const place = placeOf(conversation)
    place.driver = state
    if (state === undefined) endTurn(place)
    else place.seen = clock.now()
    look(conversation)
  }

  /** What an agent writes is a sign of it, whether it has a seat or not. */
  function happened(conversation: string, body: Body) {
    if (!isSign(body)) return
    const place = placeOf(conversation)
    sign(place)
    if (body.kind === 'tool_call' || body.kind === 'tool_result') step(place, body)
    if (body.kind === 'turn') endTurn(place, body.by)
    look(conversation)
  }

  function sign(place: Place) {
    place.seen = clock.now()
    place.worksUntil = place.seen + SIGN_MS
  }

  function step({ steps, seen }: Place, { kind, by, tool_name }: Extract<Body, { tool_name: string; by: string }>) {
    const name = stepOf(by, tool_name)
    for (const [forgotten, { until }] of steps) if (until <= seen) steps.delete(forgotten)
    const { count, until } = steps.get(name) ?? { count: 0, until: seen }
    if (kind === 'tool_call') steps.set(name, { count: count + 1, until: seen + STEP_MS })
    else if (count > 1) steps.set(name, { count: count - 1, until })
    else steps.delete(name)
  }

  /** Of one agent there, or of all of them. */
  function endTurn(place: Place, by?: string) {
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
  function lookAgain(conversation: string, place: Place) {
    const now = clock.now()
    const moments = [place.worksUntil, stepsUntil(place), ...[...place.seats].map(({ until }) => until)]
    const at = Math.min(...moments.filter((moment) => moment > now))
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
    const here = [...place.seats].filter(({ open, until }) => open > 0 || until > now)
    const asks = here.some(({ asking }) => asking > 0)
    // Not yet while it only asks: a call that is always allowed is answered without anybody.
    const waits = asks && hasOpenQuestion(conversation)
    if (place.driver) return waits ? 'waiting' : place.driver === 'asleep' ? 'idle' : place.driver
    if (waits) return 'waiting'
    if (here.length > 0 && hasOpenQuestion(conversation)) return 'backgrounded'
    if (place.worksUntil > now) return 'working'
    if (here.length === 0) return 'gone'
    return here.some(({ calls }) => calls > 0) || stepsUntil(place) > now ? 'working' : 'idle'
  }

  /** Of one conversation, or of the one with the busiest agent, if there is any. */
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

  /** Those that an agent has a seat in, be it there or expected back, and those where one is driven and awake. */
  function seated(): string[] {
    const isAwake = (place: Place) => isTaken(place) && (place.seats.size > 0 || place.driver !== 'asleep')
    return [...places].flatMap(([conversation, place]) => (isAwake(place) ? [conversation] : []))
  }

  /** Whether an agent has a seat there, be it there or expected back, or somebody drives one. */
  function isTakenIn(conversation: string): boolean {
    const place = places.get(conversation)
    return place !== undefined && isTaken(place)
  }

  function placeOf(conversation: string): Place {
    const place = places.get(conversation) ?? { seats: new Set(), steps: new Map(), seen: 0, worksUntil: 0 }
    places.set(conversation, place)
    return place
  }

  function forget(conversation: string, place: Place) {
    place.alarm?.cancel()
    places.delete(conversation)
  }

  function close() {
    for (const [conversation, place] of places) forget(conversation, place)
  }
}

/** Who asks has a seat, and its call is the sign. */
function isSign(body: Body): boolean {
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

function isTaken({ seats, driver }: Place): boolean {
  return seats.size > 0 || driver !== undefined
}

function stepsUntil({ steps }: Place): number {
  return Math.max(0, ...[...steps.values()].map(({ until }) => until))
}

/** A name holds no line break, so no two pairs share one. */
function stepOf(by: string, tool: string): string {
  return `${by}\n${tool}`
}
