import { createChat } from '../../../src/chat/chat.ts'
import type { AgentService } from '../../../src/chat/delivery/agent-service.ts'
import { type AgentSession, openAgentSession, type Wait } from '../../../src/chat/delivery/agent-session.ts'
import type { Delivery } from '../../../src/chat/delivery/deliveries.ts'
import type { Clock } from '../../../src/io/clock.ts'
import type { Log } from '../../../src/log/views.ts'
import { BEFORE_ALL } from '../../../src/protocol/entries/entry.ts'
import type { DeliveredIds } from '../../../src/protocol/frames/link.ts'
import { localPrincipal } from '../../../src/protocol/principal.ts'
import { newLog, reached } from '../chat.ts'
import { fakeClock } from '../fake-clock.ts'

export const CONVERSATION = 'work'

export type World = ReturnType<typeof openWorld>

class HubGone extends Error {}

/** A log that outlives its hubs, one hub after the other over it, and an agent whose line goes from hub to hub. */
export function openWorld() {
  const log = newLog()
  const clock = fakeClock(Date.now())
  let keys = 0
  /** The ids of answers that the agent has, and that no other call has proven. */
  let delivered = new Set<DeliveredIds>()
  let hub = openHub()
  let line = newLine()
  return {
    clock,
    get view() {
      return hub.view
    },
    get ready() {
      return hub.ready
    },
    get session() {
      return reached(line)
    },
    /** The same, of an agent that no answer reaches by itself. */
    get unreached() {
      return line
    },
    /** How many calls wait for the question at the hub of now. */
    waitingFor: (question: string) => hub.waiting.get(question) ?? 0,
    takeOver,
    restart,
    close: () => hub.die(),
  }

  /** The hub is killed and the next one opens the log; the agent and its line live on. */
  function takeOver(whileAway = () => {}) {
    hub.die()
    whileAway()
    hub = openHub()
  }

  /** The agent is gone too, after the hub has noted what has reached it. */
  async function restart() {
    line = newLine()
    const { last } = await hub.view.conversation(CONVERSATION)
    if (last !== BEFORE_ALL) await hub.view.rename(CONVERSATION, 'Work')
    delivered = new Set()
    takeOver()
  }

  /** Calls as a line makes them: what has no answer is asked again, with the same keys, of the next hub. */
  function newLine(): AgentSession {
    const alive = () => line === own
    const own: AgentSession = {
      ...hub.session,
      ask(questions, wait) {
        const keyed = questions.map((question) => ({ ...question, key: question.key ?? `key ${++keys}` }))
        return insist((session, rest) => session.ask(keyed, rest(wait)))
      },
      resume: (questions, wait) => insist((session, rest) => session.resume(questions, rest(wait))),
      messages: () => insist((session) => session.messages()),
      tell: (body, key = `key ${++keys}`) => insist((session) => session.tell(body, key)),
    }
    return own

    async function insist(
      call: (session: AgentSession, rest: (wait: Wait) => Wait) => Promise<Delivery>,
    ): Promise<Delivery> {
      const began = clock.now()
      const rest = ({ waitMs, ...wait }: Wait) => ({
        ...wait,
        ...(waitMs !== undefined && { waitMs: Math.max(0, waitMs - (clock.now() - began)) }),
      })
      for (;;) {
        const before = [...delivered]
        try {
          const delivery = await hub.orGone(call(hub.session, rest))
          for (const deliveredIds of before) delivered.delete(deliveredIds)
          return { ...delivery, arrived: () => arrive(delivery) }
        } catch (error) {
          if (!(error instanceof HubGone)) throw error
          // Its agent is gone: nobody asks again.
          if (!alive()) return new Promise(() => {})
        }
      }
    }

    function arrive({ deliveredIds, arrived }: Delivery) {
      if (deliveredIds) delivered.add(deliveredIds)
      arrived()
    }
  }

  function openHub() {
    let alive = true
    const gone = Promise.withResolvers<never>()
    gone.promise.catch(() => {})
    const waiting = new Map<string, number>()
    const journal = mortal(log, () => alive)
    const fail = (error: unknown) => {
      throw error
    }
    const ownClock = mortalClock(clock, () => alive)
    const chat = createChat({ journal, views: log, notes: log.notes, clock: ownClock, report: fail, failed: fail })
    const view = chat.as(localPrincipal('admin'))
    const agentService = countedIn(waiting, view.agentService({ folder: '', visit: 'line' }))
    const newKey = () => `key ${++keys}`
    const session = openAgentSession({
      agentService,
      clock: ownClock,
      newKey,
      conversation: CONVERSATION,
      title: 'Work',
    })
    for (const deliveredIds of delivered) session.remember(deliveredIds)
    return {
      view,
      session,
      ready: chat.ready,
      waiting,
      /** What the hub did not answer is lost with it. */
      orGone: <Result>(answer: Promise<Result>) => Promise.race([answer, gone.promise]),
      die,
    }

    function die() {
      alive = false
      gone.reject(new HubGone())
    }
  }
}

function countedIn(waiting: Map<string, number>, agentService: AgentService): AgentService {
  return {
    ...agentService,
    outcome: (...args) => counted(waiting, args[0], agentService.outcome(...args)),
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
  return {
    ...clock,
    alarm: (at, ring) => clock.alarm(at, () => isAlive() && ring()),
    after: (ms, ring) => clock.after(ms, () => isAlive() && ring()),
  }
}
