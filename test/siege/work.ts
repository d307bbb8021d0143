import { setTimeout as pause } from 'node:timers/promises'
import type { Dice } from '../support/seeded.ts'
import type { Agent, Saying } from './agent.ts'
import { QUIET } from './cast.ts'
import type { Call } from './record.ts'

/** What several agents say in the same words. */
export const SHARED = ['Done. What next?', 'Continue?']
const SHARED_COMMANDS = ['git push', 'npm publish']
/** Ids of calls that some clients use again and again. */
const TOOL_USE_IDS = ['call_0', 'call_1']
/** So much at once that a hub cannot be between two of it for long. */
export const MUCH = 10
/** Where the person talks to the one that only reads. */
export const READING = 'reading'

export interface WorkParts {
  agent: Agent
  dice: Dice
  isOver(): boolean
  /** Resolves when the person is about to answer this. */
  answering(words: string): Promise<void>
  /** Resolves when the page was told of its answer. */
  answered(words: string): Promise<void>
}

/** What an agent does all day: it asks, gives up, tells, looks for messages, wants to be allowed something. */
export function startWork({ agent, dice, isOver, answering, answered }: WorkParts) {
  const { name, surface, client, session } = agent.role
  let sayings = 0
  let introduced = 0
  /** What it asks now of what others ask, too: twice the same at once would be one question. */
  const shared = new Set<string>()
  const beside = new Set<Promise<unknown>>()
  const talks = [ask, askTheSame]
  const together = [tell, askTheSame, giveUpTheSame, giveUpTheSame]
  const everything = [ask, ask, askTheSame, giveUp, giveUp, tell, look, approve, atOnce, atOnce]
  const deeds = name === QUIET ? [tell] : session ? together : surface === 'agent' ? everything : talks
  const done = work()
  return { done, last, asksToo, tellsMuch, crossesMuch, leavesApprovals }

  async function work() {
    while (!isOver()) {
      if (surface === 'chat') await readOn()
      else await (await nextDeed())()
      await pause(dice.below(surface === 'chat' ? 60 : 250))
    }
    await Promise.all(beside)
  }

  /**
   * Beside what it does, as others do at the same time, and as probably as this again over its next line, where it comes
   * first. Tells whether it does not ask it already.
   */
  function asksToo(words: string, askAgain: number): boolean {
    if (shared.has(words)) return false
    besides(askingShared({ words }, askAgain))
    return true
  }

  /** Done when the last of it was answered. */
  function tellsMuch(): Promise<unknown> {
    return besides(Promise.all(Array.from({ length: MUCH }, tell)))
  }

  function besides<Done>(work: Promise<Done>): Promise<Done> {
    beside.add(work)
    void work.finally(() => beside.delete(work))
    return work
  }

  /** Asks much, and gives each up in the moment of its reply. */
  async function crossesMuch() {
    if (deeds !== everything) return
    await Promise.all(
      Array.from({ length: MUCH }, () => giveUpAt(dice.pick([answering, answered, answered]) as typeof answering)),
    )
  }

  /** Gives up what it wants to be allowed. */
  async function leavesApprovals() {
    if (deeds === everything) await Promise.all([approveOwn(), approveOwn()])

    function approveOwn() {
      return approving(own('runs'), { giveUp: pause(200 + dice.below(200)) })
    }
  }

  /** Whoever has just come may say something of its own first, or what others say as well. */
  async function nextDeed(): Promise<() => Promise<unknown>> {
    const { line } = await agent.alive()
    if (line.n === introduced || surface !== 'agent' || name === QUIET) return dice.pick(deeds)
    introduced = line.n
    if (beside.size > 0) return () => pause(dice.below(300))
    return dice.chance(0.6) ? tell : askTheSame
  }

  /** Until nothing more comes: what it was still to be given. */
  async function last() {
    for (let empty = 0; empty < 2; ) {
      const call = surface === 'chat' ? await read() : surface === 'bridge' ? await ask() : await look()
      const { earlier = [], read: had = [], stopped } = call.got ?? {}
      empty = call.got && earlier.length === 0 && had.length === 0 && stopped === undefined ? empty + 1 : 0
    }
    // Tells where it is.
    if (surface === 'agent') await tell()
  }

  function ask() {
    return asking({ words: own('asks') })
  }

  function askTheSame() {
    return askingOneOf(SHARED)
  }

  async function giveUp() {
    return giveUpAt(dice.pick([answering, answered, () => pause(dice.below(900))]) as typeof answering)
  }

  function giveUpAt(moment: (words: string) => Promise<unknown>) {
    const words = own('may give up')
    return asking({ words, giveUp: moment(words).then(() => (dice.chance(0.5) ? undefined : pause(dice.below(6)))) })
  }

  function giveUpTheSame() {
    return askingOneOf(SHARED, pause(dice.below(900)))
  }

  function askingOneOf(all: string[], giveUp?: Promise<unknown>) {
    const words = dice.pick(all.filter((words) => !shared.has(words)))
    return words === undefined ? ask() : askingShared({ words, giveUp })
  }

  async function askingShared(more: Pick<Saying, 'words' | 'giveUp'>, askAgain?: number): Promise<Call> {
    shared.add(more.words)
    try {
      return await asking({ ...more, shared: true }, askAgain)
    } finally {
      shared.delete(more.words)
    }
  }

  /** `askAgain`: how probably it does when its line was lost, after what it asks beside it. */
  async function asking(more: Pick<Saying, 'words' | 'shared' | 'giveUp'>, askAgain?: number): Promise<Call> {
    // The same words with the same id are the same call.
    const key = more.shared ? {} : keyed()
    let call = await agent.call({ tool: 'send_message', input: { text: more.words }, ...key, ...more })
    for (;;) {
      const open = call.got?.pending ?? /question_id "(\d{16})"/.exec(call.failed ?? '')?.[1]
      const { line } = await agent.alive()
      // To another line it may be another's question.
      if (open !== undefined && line === call.line) {
        const input = { text: more.words, question_id: open }
        call = await agent.call({ tool: 'send_message', input, again: true, ...more })
      } else if (
        call.failed !== undefined &&
        line !== call.line &&
        dice.chance(askAgain ?? (beside.size > 0 ? 0 : 0.5))
      ) {
        call = await agent.call({ tool: 'send_message', input: { text: more.words }, ...more, giveUp: undefined })
      } else return call
    }
  }

  function tell() {
    const words = own('tells')
    return agent.call({ tool: 'send_progress', input: { text: words }, words, ...keyed() })
  }

  function look() {
    return agent.call({ tool: 'check_messages', input: {}, words: '' })
  }

  function approve() {
    const shared = dice.chance(0.3)
    const words = shared ? dice.pick(SHARED_COMMANDS) : own('runs')
    const giveUp = dice.chance(0.3) ? pause(dice.below(1200)) : undefined
    return approving(words, { ...(shared && { shared }), giveUp })
  }

  function approving(words: string, more: Pick<Saying, 'shared' | 'giveUp'>) {
    return agent.call({ tool: 'approve', input: { tool_name: 'Bash', input: { command: words } }, words, ...more })
  }

  async function atOnce() {
    await Promise.all([ask(), approve(), dice.chance(0.5) ? ask() : tell()])
  }

  /** Everything that there is now, without a pause. */
  async function readOn() {
    for (let call = await read(); call.got?.read?.length; ) call = await read()
  }

  function read() {
    return agent.call({ tool: 'read_and_advance', input: { session_id: READING, limit: 1 }, words: '' })
  }

  function keyed(): Pick<Saying, 'toolUseId'> {
    return client === 'claude-code' && dice.chance(0.4) ? { toolUseId: dice.pick(TOOL_USE_IDS) } : {}
  }

  function own(verb: string): string {
    return `${name} ${verb} ${++sayings}`
  }
}
