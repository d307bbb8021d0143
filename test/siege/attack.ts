import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { lives, processesOf } from '../../scripts/processes.ts'
import { giveOrder } from '../../src/doors/socket/order.ts'
import { hubOf } from '../support/hub-of.ts'
import { startParley } from '../support/process.ts'
import type { Dice } from '../support/seeded.ts'
import type { Agent } from './agent.ts'
import type { Record } from './record.ts'
import { SHARED } from './work.ts'

/** A line leaves a hub that says nothing for ten of its ticks. */
const LONG_FREEZE_MS = 11_500
/** So long a hub expects a line back that was lost. */
const COMES_BACK_MS = 2000
/** A hub that ends has told everybody by then, and still waits for those that have not heard it. */
const GOODBYE_MS = 200
const LOOK_AGAIN_MS = 5
const MOST_LOOKS = 200
/** The program of a hub that a line has started. */
const HUB = 'background.js'

export interface AttackParts {
  data: string
  /** Whose lines may be hurt. */
  agents: Agent[]
  record: Record
  dice: Dice
  program?: string
  /** Answers whatever is open: what is hurt then may have half of it. */
  rush(): void
  /** Nothing is answered until what is returned is called. */
  leave(): () => void
  /** Leaves this undecided. */
  forsake(words: string): void
  /** Has an agent ask this beside what it does, unless it does already; see `startWork`. */
  asksToo(agent: Agent, words: string, askAgain: number): boolean
  /** Has an agent tell much at once. */
  tellsMuch(agent: Agent): Promise<unknown>
  /** The person says much at once. */
  saysMuch(): void
  /** Resolves when the page is told something more. */
  shown(): Promise<unknown>
  /** Resolves when the page shows a question in these words. */
  asked(words: string): Promise<unknown>
}

/** Everything that a machine does to processes, to the hub and to lines. */
export function createAttack(parts: AttackParts) {
  const { data, agents, record, dice, program, rush, leave, forsake, asksToo, tellsMuch, saysMuch, shown, asked } =
    parts
  /** Those that everybody can stand again and again come more often. */
  const hurts = [
    killHub,
    killHub,
    killHub,
    killStartingHub,
    killBusyHub,
    killBusyHub,
    killReadHub,
    killReadHub,
    killReadHub,
    killHubAndLine,
    endHub,
    stopHub,
    freezeHub,
    freezeHubLong,
    killLine,
    killLine,
    killAskers,
    killAskers,
    killOneOfTwoAskers,
    endLine,
    freezeLine,
  ]
  return { hurts, once, killHub, killNextHub, stopHubUnheard }

  /** At a moment of chance, of many answers at once, or of a call that reads on. */
  async function once(hurt: () => Promise<void>) {
    await pause(dice.below(800))
    const moment = dice.pick(['any', 'answers', 'answers', 'reading'])
    if (moment === 'answers' || hurt === freezeHubLong) rush()
    else if (moment === 'reading') await Promise.race([record.nextCall('read_and_advance'), pause(500)])
    if (moment !== 'any') await pause(dice.below(6))
    await hurt()
  }

  async function killHub() {
    signalHub('SIGKILL')
  }

  async function killStartingHub() {
    const next = killNextHub()
    signalHub('SIGKILL')
    await next
  }

  /** Best of all while it has written something that nobody has heard of yet. */
  async function killBusyHub() {
    const told = shown()
    void tellsMuch(dice.pick(agents.filter(({ role }) => role.surface === 'agent')) as Agent)
    saysMuch()
    await Promise.race([told, pause(1500)])
    await pause(dice.below(4))
    signalHub('SIGKILL')
  }

  /** While somebody reads on and on. */
  async function killReadHub() {
    const read = record.nextRead()
    saysMuch()
    await Promise.race([read, pause(1500)])
    await pause(dice.below(20))
    signalHub('SIGKILL')
  }

  /** The one that is started next, as soon as it is seen. */
  async function killNextHub() {
    const before = hubsNow()
    for (let looks = 0; looks < MOST_LOOKS; looks++) {
      await pause(LOOK_AGAIN_MS)
      const next = hubsNow().find((pid) => !before.includes(pid))
      if (next === undefined) continue
      await pause(dice.below(100))
      record.tell('machine', `SIGKILL to the starting hub ${next}`)
      return kill(next, 'SIGKILL')
    }
  }

  /** Best of all while it waits to be allowed something. */
  async function killHubAndLine() {
    await Promise.race([record.nextCall('approve').then(() => pause(20 + dice.below(100))), pause(1500)])
    const waiting = record.calls.filter(({ tool, ended }) => tool === 'approve' && ended === undefined)
    const busy = agents.filter(({ role }) => waiting.some(({ line }) => line.agent === role.name))
    const agent = dice.pick(busy.length > 0 ? busy : agents)
    for (const { line, words, shared } of waiting) if (line.agent === agent?.role.name && !shared) forsake(words)
    const both = [() => signalHub('SIGKILL'), () => endLineOf(agent, 'SIGKILL')]
    for (const hurt of dice.chance(0.5) ? both : both.reverse()) hurt()
  }

  async function endHub() {
    signalHub('SIGTERM')
  }

  /** As its owner does. */
  async function stopHub() {
    const stop = { from: record.now(), to: undefined as number | undefined }
    record.stops.push(stop)
    record.tell('machine', 'parley stop')
    const { code, stderr } = await startParley(['stop', '--data', data], {}, program).ended
    record.tell('machine', `parley stop ended with ${code} ${stderr.trim()}`)
    stop.to = record.now()
  }

  /** Nobody but the client of a line that cannot hear of it wants a hub then. */
  async function stopHubUnheard(agent: Agent, call: () => Promise<unknown>) {
    const opened = await agent.alive()
    const stop = { from: record.now(), to: undefined as number | undefined }
    record.stops.push(stop)
    record.tell('machine', `SIGSTOP to ${agent.role.name}'s line ${opened.line.n}, and the hub is stopped`)
    kill(opened.pid, 'SIGSTOP')
    const answered = call()
    const stopped = giveOrder(data, 'stop')
    await pause(GOODBYE_MS)
    kill(opened.pid, 'SIGCONT')
    await stopped
    record.tell('machine', 'the hub was stopped')
    stop.to = record.now()
    await answered
  }

  async function freezeHub() {
    await freezeHubFor(100 + dice.below(1200))
  }

  async function freezeHubLong() {
    await freezeHubFor(LONG_FREEZE_MS + dice.below(1500))
  }

  async function freezeHubFor(ms: number) {
    const { pid } = hubOf(data)
    await freeze((signal) => signalHub(signal, pid), ms)
  }

  async function killLine() {
    endLineOf(dice.pick(agents), 'SIGKILL')
  }

  /** One or both of two that nothing tells apart, while they ask the same. Then it is seen whether they come back. */
  async function killAskers() {
    const two = dice.pick(alike(agents)) ?? []
    const words = dice.pick(SHARED)
    const comeBack = leave()
    for (const agent of two) asksToo(agent, words, 1)
    await pause(200 + dice.below(300))
    const lost = dice.chance(0.6) ? two : [dice.pick(two)]
    for (const agent of lost) endLineOf(agent, 'SIGKILL')
    await Promise.all(lost.map((agent) => agent.alive()))
    await pause(COMES_BACK_MS + dice.below(500))
    comeBack()
    await pause(dice.below(1500))
    signalHub('SIGKILL')
  }

  /** Of two that nothing tells apart one asks something, and after both were lost the other one does. */
  async function killOneOfTwoAskers() {
    const two = dice.pick(alike(agents.filter(({ role }) => role.surface === 'agent'))) ?? []
    const [one, other] = (dice.chance(0.5) ? two : two.reverse()) as [Agent, Agent]
    // Who has said nothing yet was nowhere.
    await Promise.all([tellsMuch(one), tellsMuch(other)])
    const comeBack = leave()
    const words = `Shall I go on? (${record.now()})`
    asksToo(one, words, 0)
    // One that is told to stop asks nothing.
    await Promise.race([asked(words), pause(COMES_BACK_MS)])
    for (const agent of two) endLineOf(agent, 'SIGKILL')
    await Promise.all(two.map((agent) => agent.now()?.gone))
    asksToo(other, words, 1)
    await Promise.all(two.map((agent) => agent.alive()))
    await pause(COMES_BACK_MS + dice.below(500))
    comeBack()
    await pause(dice.below(1000))
  }

  async function endLine() {
    endLineOf(dice.pick(agents), 'SIGTERM')
  }

  async function freezeLine() {
    const agent = dice.pick(agents)
    const opened = agent.now()
    if (!opened || opened.line.goneAt !== undefined) return
    const signalLine = (signal: NodeJS.Signals) => {
      record.tell('machine', `${signal} to ${agent.role.name}'s line ${opened.line.n}`)
      kill(opened.pid, signal)
    }
    await freeze(signalLine, 100 + dice.below(1500))
  }

  async function freeze(signal: (name: NodeJS.Signals) => void, ms: number) {
    signal('SIGSTOP')
    try {
      await pause(ms)
    } finally {
      signal('SIGCONT')
    }
  }

  function signalHub(signal: NodeJS.Signals, pid = hubOf(data).pid) {
    if (!isHub(pid)) return
    record.tell('machine', `${signal} to the hub ${pid}`)
    kill(pid, signal)
  }

  function endLineOf(agent: Agent, signal: NodeJS.Signals) {
    const opened = agent.now()
    if (!opened || opened.line.goneAt !== undefined || opened.line.endedBy) return
    opened.line.endedBy = { signal, at: record.now() }
    record.tell('machine', `${signal} to ${agent.role.name}'s line ${opened.line.n}`)
    kill(opened.pid, signal)
  }

  function hubsNow(): number[] {
    const hubs = processesOf(data).filter(({ command }) => command.includes(HUB))
    return hubs.map(({ pid }) => pid)
  }
}

/** Those of them that are two in one folder, with no run to tell them apart. */
function alike(agents: Agent[]): Agent[][] {
  const plain = agents.filter(({ role }) => role.client === 'test-agent')
  const folders = Map.groupBy(plain, ({ role }) => role.folder)
  return [...folders.values()].filter(({ length }) => length === 2)
}

/** Its number may be another process by now. Looking at all of them would take longer than an answer does. */
function isHub(pid: number): boolean {
  const words = `/proc/${pid}/cmdline`
  return existsSync('/proc/self') ? existsSync(words) && readFileSync(words, 'utf8').includes(HUB) : lives(pid)
}

function kill(pid: number, signal: NodeJS.Signals) {
  try {
    process.kill(pid, signal)
  } catch (error) {
    // It has ended already.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
