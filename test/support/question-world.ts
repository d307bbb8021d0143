import { createMovingHost, type Found } from '../../src/attach/moving-host.ts'
import { LinkLost } from '../../src/attach/seat-link.ts'
import { type Chat, createChat } from '../../src/chat/chat.ts'
import type { Clock } from '../../src/chat/clock.ts'
import { type Seat, takeSeat } from '../../src/chat/seat.ts'
import type { SeatHost } from '../../src/chat/seat-host.ts'
import type { Log } from '../../src/log/log.ts'
import { openMemoryLog } from '../../src/log/memory-log.ts'
import { fakeClock } from './fake-clock.ts'

export const CONVERSATION = 'work'

export type World = ReturnType<typeof openWorld>

/** A log that outlives its hubs, one hub after the other over it, and a seat that moves from hub to hub. */
export function openWorld() {
  const log = openMemoryLog()
  const clock = fakeClock(Date.now())
  let keys = 0
  let hub = openHub()
  let moving = createMovingHost(async () => hub.found)
  let seat = newSeat()
  return {
    clock,
    get chat() {
      return hub.chat
    },
    get seat() {
      return seat
    },
    /** How many calls wait for the question at the hub of now. */
    waitingFor: (question: string) => hub.waiting.get(question) ?? 0,
    takeOver,
    restart,
    close() {
      moving.close()
      hub.die()
    },
  }

  /** The hub is killed and the next one opens the log; the agent's process lives on. */
  function takeOver(whileAway = () => {}) {
    hub.die()
    whileAway()
    hub = openHub()
  }

  /** The agent's process is gone too. */
  function restart() {
    moving.close()
    takeOver()
    moving = createMovingHost(async () => hub.found)
    seat = newSeat()
  }

  function newSeat(): Seat {
    const newKey = () => `key ${++keys}`
    return takeSeat({ host: moving, clock, newKey, conversation: CONVERSATION, title: 'Work' })
  }

  function openHub() {
    let alive = true
    const lost = Promise.withResolvers<void>()
    const waiting = new Map<string, number>()
    const chat: Chat = createChat({ log: mortal(log, () => alive), clock: mortalClock(clock, () => alive) })
    const found: Found = { host: linkTo(chat.host, waiting, lost.promise), lost: lost.promise }
    return { chat, found, waiting, die }

    function die() {
      alive = false
      lost.resolve()
    }
  }

  /** As a process that has the hub elsewhere sees it: what the hub did not answer is lost with it. */
  function linkTo(host: SeatHost, waiting: Map<string, number>, lost: Promise<void>): SeatHost {
    const gone = lost.then(() => Promise.reject(new LinkLost()))
    gone.catch(() => {})
    const or = <Result>(answer: Promise<Result>) => Promise.race([answer, gone])
    return {
      ask: (...args) => or(host.ask(...args)),
      outcome: (...args) => or(counted(waiting, args[0], host.outcome(...args))),
      conversationOf: (question) => or(host.conversationOf(question)),
      stillOpen: (questions) => or(host.stillOpen(questions)),
      unread: (...args) => or(host.unread(...args)),
      tell: (...args) => or(host.tell(...args)),
      note: (...args) => or(host.note(...args)),
      enter: host.enter,
    }
  }
}

async function counted<Result>(waiting: Map<string, number>, question: string, answer: Promise<Result>) {
  waiting.set(question, (waiting.get(question) ?? 0) + 1)
  try {
    return await answer
  } finally {
    waiting.set(question, (waiting.get(question) ?? 1) - 1)
  }
}

/** A killed hub writes nothing any more. */
function mortal(log: Log, isAlive: () => boolean): Log {
  return {
    ...log,
    append: (...args) => (isAlive() ? log.append(...args) : new Promise(() => {})),
    close: async () => {},
  }
}

function mortalClock(clock: Clock, isAlive: () => boolean): Clock {
  return { now: clock.now, alarm: (at, ring) => clock.alarm(at, () => isAlive() && ring()) }
}
