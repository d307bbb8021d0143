import { setTimeout as pause } from 'node:timers/promises'
import type { DrivenSession } from './driver.ts'

/** An agent that does not end in this time keeps nobody else from starting. */
const LONGEST_STOP_MS = 5000

interface SessionsParts {
  max: number
  /** How long an agent may have nothing to do before it is put to sleep. */
  idleMs: number
  start(conversation: string): Promise<DrivenSession>
  /** It is gone: put to sleep, or lost, with one sentence then. */
  ended(conversation: string, problem: string | undefined): void
}

interface OpenSession {
  session: Promise<DrivenSession>
  busy: boolean
  idle?: NodeJS.Timeout
}

export type Sessions = ReturnType<typeof createSessions>

/** The agents that run: one for each conversation, and never more than `max`. */
export function createSessions({ max, idleMs, start, ended }: SessionsParts) {
  /** Those that had nothing to do for the longest time first. */
  const places = new Map<string, OpenSession>()
  /** Agents that are being ended still take their place. */
  const leaving = new Map<string, Promise<unknown>>()
  const queue: (() => void)[] = []
  return { take, release, sleep, close }

  /** The agent of a conversation, until it is released. `waits` is called when all places are taken. */
  async function take(conversation: string, waits: () => void, signal: AbortSignal): Promise<DrivenSession> {
    for (;;) {
      signal.throwIfAborted()
      const place = places.get(conversation)
      if (place) return occupied(conversation, place)
      if (places.size + leaving.size < max && !leaving.has(conversation))
        return occupied(conversation, begin(conversation))
      const idle = [...places].find(([, { busy }]) => !busy)
      if (leaving.size === 0) {
        if (idle) void sleep(idle[0])
        else waits()
      }
      await room(signal)
    }
  }

  function occupied(conversation: string, place: OpenSession): Promise<DrivenSession> {
    place.busy = true
    clearTimeout(place.idle)
    places.delete(conversation)
    places.set(conversation, place)
    return place.session
  }

  function begin(conversation: string): OpenSession {
    const place: OpenSession = { session: start(conversation), busy: true }
    places.set(conversation, place)
    place.session.then(
      ({ lost }) => lost.then((problem) => leave(conversation, place, problem)),
      () => leave(conversation, place, undefined),
    )
    return place
  }

  function leave(conversation: string, place: OpenSession, problem: string | undefined) {
    if (places.get(conversation) !== place) return
    clearTimeout(place.idle)
    places.delete(conversation)
    ended(conversation, problem)
    wakeQueue()
  }

  /** It has nothing to do now; its place is for whoever waits. */
  function release(conversation: string) {
    const place = places.get(conversation)
    if (!place) return
    place.busy = false
    places.delete(conversation)
    places.set(conversation, place)
    if (queue.length > 0) return void sleep(conversation)
    clearTimeout(place.idle)
    place.idle = setTimeout(() => void sleep(conversation), idleMs)
  }

  async function sleep(conversation: string) {
    const place = places.get(conversation)
    if (!place) return
    clearTimeout(place.idle)
    places.delete(conversation)
    // It is let go of either way; whoever wanted it heard why it could not begin.
    const stopped = Promise.race([
      place.session.then((session) => session.stop()).catch(() => {}),
      pause(LONGEST_STOP_MS, undefined, { ref: false }),
    ])
    leaving.set(conversation, stopped)
    await stopped
    leaving.delete(conversation)
    ended(conversation, undefined)
    wakeQueue()
  }

  function room(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      queue.push(resolve)
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
  }

  function wakeQueue() {
    for (const wake of queue.splice(0)) wake()
  }

  async function close() {
    await Promise.all([...[...places.keys()].map(sleep), ...leaving.values()])
  }
}
