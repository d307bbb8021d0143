import { createChat } from '../../src/chat/chat.ts'
import type { Clock } from '../../src/chat/clock.ts'
import type { Reception } from '../../src/chat/reception.ts'
import { type Seat, takeSeat } from '../../src/chat/seat.ts'
import { LinkLost } from '../../src/join/joined-hub.ts'
import { createMovingReception, type Found } from '../../src/join/moving-reception.ts'
import type { Log } from '../../src/log/views.ts'
import { BEFORE_ALL } from '../../src/protocol/entry.ts'
import { localPrincipal } from '../../src/protocol/principal.ts'
import { newLog, reached } from './chat.ts'
import { fakeClock } from './fake-clock.ts'

export const CONVERSATION = 'work'

export type World = ReturnType<typeof openWorld>

/** A log that outlives its hubs, one hub after the other over it, and a seat that moves from hub to hub. */
export function openWorld() {
  const log = newLog()
  const clock = fakeClock(Date.now())
  let keys = 0
  let hub = openHub()
  let moving = createMovingReception(async () => hub.found)
  let seat = newSeat()
  return {
    clock,
    get view() {
      return hub.view
    },
    get ready() {
      return hub.ready
    },
    get seat() {
      return reached(seat)
    },
    /** The same, of an agent that no answer reaches by itself. */
    get unreached() {
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

  /** The agent's process is gone too, after the hub has noted what has reached it. */
  async function restart() {
    moving.close()
    const { last } = await hub.view.conversation(CONVERSATION)
    if (last !== BEFORE_ALL) await hub.view.rename(CONVERSATION, 'Work')
    takeOver()
    moving = createMovingReception(async () => hub.found)
    seat = newSeat()
  }

  function newSeat(): Seat {
    const newKey = () => `key ${++keys}`
    return takeSeat({ reception: moving, clock, newKey, conversation: CONVERSATION, title: 'Work' })
  }

  function openHub() {
    let alive = true
    const lost = Promise.withResolvers<void>()
    const waiting = new Map<string, number>()
    const journal = mortal(log, () => alive)
    const fail = (error: unknown) => {
      throw error
    }
    const chat = createChat({
      journal,
      views: log,
      clock: mortalClock(clock, () => alive),
      report: fail,
      failed: fail,
    })
    const view = chat.as(localPrincipal('admin'))
    const found: Found = { reception: linkTo(view.reception(), waiting, lost.promise), lost: lost.promise }
    return { view, ready: chat.ready, found, waiting, die }

    function die() {
      alive = false
      lost.resolve()
    }
  }

  /** As a process that has the hub elsewhere sees it: what the hub did not answer is lost with it. */
  function linkTo(reception: Reception, waiting: Map<string, number>, lost: Promise<void>): Reception {
    const gone = lost.then(() => Promise.reject(new LinkLost()))
    gone.catch(() => {})
    const or = <Result>(answer: Promise<Result>) => Promise.race([answer, gone])
    return {
      ask: (...args) => or(reception.ask(...args)),
      outcome: (...args) => or(counted(waiting, args[0], reception.outcome(...args))),
      stillOpen: (questions) => or(reception.stillOpen(questions)),
      withdraw: (questions) => or(reception.withdraw(questions)),
      unread: (...args) => or(reception.unread(...args)),
      tell: (...args) => or(reception.tell(...args)),
      note: (...args) => or(reception.note(...args)),
      enter: reception.enter,
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
