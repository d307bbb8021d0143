import type { Clock } from '../../io/clock.ts'
import { type Agent, isRun, isSameAgent, STATELESS } from '../../protocol/entries/agent.ts'

export type Visits = ReturnType<typeof createVisits>

/** An earlier question. */
export interface AskedBefore extends Agent {
  id: string
  /** The time, in milliseconds since 1970, where it is known. */
  at?: number
}

interface Here {
  conversation: string
  came: number
  agent(): Agent
}

interface Gone {
  conversation: string
  agent: Agent
  began: number
  ended: number
}

/** Without a run, the same words mean the same for so long. */
export const SAME_MS = 10 * 60_000
/** The time in which an agent that has gone may come again by another line. */
export const COMES_AGAIN_MS = 60_000
/** Within this time every living line has found a hub that has just opened. */
export const ALL_BACK_MS = 5000
const MOST_GONE = 10_000

/** The agents that are connected now, and what follows from that for what is asked again and for what comes late. */
export function createVisits({ now, alarm }: Pick<Clock, 'now'> & Partial<Clock>) {
  const here = new Set<Here>()
  const opened = now()
  /** Agents that left, by their visits, the latest last. */
  const gone = new Map<string, Gone>()
  /** The time at which each visit was lost that may still come back. */
  const lost = new Map<string, number>()
  const attending = new Map<object, string>()
  return { enter, lose, attend, isAttended, isAlive, isAskedAgain, isFor, isYoung, onceAllAreBack }

  /** Its connection is lost, until it is back or leaves: whoever comes from then on may be the same agent. */
  function lose(visit: string, isLost: boolean) {
    if (isLost && isAlive(visit)) lost.set(visit, now())
    else lost.delete(visit)
  }

  function enter(conversation: string, agent: () => Agent): { leave(): void } {
    const visitor = { conversation, agent, came: now() }
    here.add(visitor)
    return { leave }

    function leave() {
      const { visit } = agent()
      here.delete(visitor)
      if (visit === undefined || isAlive(visit)) return
      gone.delete(visit)
      const began = agent().began ?? visitor.came
      gone.set(visit, { conversation, agent: agent(), began, ended: lost.get(visit) ?? now() })
      lost.delete(visit)
      const [oldest = ''] = gone.keys()
      if (gone.size > MOST_GONE) gone.delete(oldest)
    }
  }

  /** An agent is connected that speaks there, whether it has called yet or not. */
  function attend(conversation: string): { leave(): void } {
    const one = {}
    attending.set(one, conversation)
    return { leave: () => void attending.delete(one) }
  }

  function isAttended(conversation: string): boolean {
    return [...attending.values()].includes(conversation)
  }

  function isAlive(visit: string | undefined): boolean {
    return visit !== undefined && [...here].some(({ agent }) => agent().visit === visit)
  }

  /**
   * Whether an agent that asks the same again means what was asked: within one visit, or lately and after its visit has
   * ended, where neither has a run. What a live call of somebody else waits for is never meant.
   */
  function isAskedAgain(before: AskedBefore, again: Agent, isAwaited: (id: string) => boolean): boolean {
    if (!isSameAgent(before, again)) return false
    const isSame = before.visit !== undefined && before.visit === again.visit
    if (isSame && again.visit !== STATELESS) return true
    if (isAwaited(before.id) || (!isSame && !couldBe(before, again))) return false
    return before.at !== undefined && now() - before.at <= SAME_MS
  }

  /** Whether who asks in one visit may be who asked in another, which has ended: never across runs, nor in doubt. */
  function couldBe(before: Omit<AskedBefore, 'id'>, agent: Agent): boolean {
    if (isRun(before.visit) || isRun(agent.visit)) return false
    return hasEnded(before) && cameAfter(before, agent) && !hadBeside(before, agent)
  }

  /** A hub that has just opened does not know who is on the way to it. */
  function hasEnded({ visit, at = 0 }: Omit<AskedBefore, 'id'>): boolean {
    if (visit === undefined || gone.has(visit)) return true
    return !isAlive(visit) && (at >= opened || !isYoung())
  }

  /** Agents of the previous hub may not be here yet. */
  function isYoung(): boolean {
    return now() - opened < ALL_BACK_MS
  }

  /**
   * Resolves when it is known of who asked these whether they are there, which soon after the start of a hub takes a
   * moment.
   */
  async function onceAllAreBack(asked: Omit<AskedBefore, 'id'>[], agent: Agent): Promise<void> {
    const isOpen = asked.some((one) => isSameAgent(one, agent) && one.visit !== agent.visit && !hasEnded(one))
    if (!alarm || !isOpen) return
    await new Promise<void>((resolve) => alarm(opened + ALL_BACK_MS, resolve))
  }

  /** Somebody like it was there at the same time and has just gone, too: it may be that one who comes. */
  function hadBeside({ visit = '', at = 0 }: Omit<AskedBefore, 'id'>, agent: Agent): boolean {
    const left = gone.get(visit)
    if (!left) return false
    return [...gone].some(
      ([other, { conversation, agent: one, began, ended }]) =>
        other !== visit &&
        other !== agent.visit &&
        conversation === left.conversation &&
        isSameAgent(one, agent) &&
        began < Math.max(left.ended, at) &&
        ended > left.began &&
        ended >= now() - COMES_AGAIN_MS,
    )
  }

  /** An agent that was there beside another one is not that one coming back. */
  function cameAfter({ visit = '', at = 0 }: { visit?: string; at?: number }, agent: Agent): boolean {
    const began = agent.began ?? beganOf(agent.visit)
    return began === undefined || began >= (gone.get(visit)?.ended ?? at)
  }

  function beganOf(visit: string | undefined): number | undefined {
    const all = [...here].filter(({ agent }) => agent().visit === visit).map(({ agent, came }) => agent().began ?? came)
    return all.length > 0 ? Math.min(...all) : undefined
  }

  /** Whether what comes of it is for this agent: it asked, or who asked has gone and nobody else could be it. */
  function isFor(asked: Omit<AskedBefore, 'id'>, conversation: string, agent: Agent): boolean {
    if (!isSameAgent(asked, agent)) return false
    if (asked.visit === undefined || asked.visit === agent.visit) return true
    return couldBe(asked, agent) && !others(conversation, agent)
  }

  function others(conversation: string, agent: Agent): boolean {
    return [...here].some(
      (other) =>
        other.conversation === conversation && other.agent().visit !== agent.visit && isSameAgent(other.agent(), agent),
    )
  }
}
