import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { TimelineFrame } from '../../src/protocol/frames/timeline.ts'
import { temporaryFolder } from '../support/hub.ts'
import { expectWhole, openPage } from '../support/page.ts'
import { seeded } from '../support/seeded.ts'
import { type Agent, createAgent } from './agent.ts'
import { createAttack } from './attack.ts'
import { castOf } from './cast.ts'
import { judge, lostIn } from './judge.ts'
import { createPerson } from './person.ts'
import { speakersIn, wordsOf } from './places.ts'
import { createRecord } from './record.ts'
import { startWork } from './work.ts'

/** So long anything may take that is only a matter of the machine; what is not there then never comes. */
const PATIENCE_MS = 25_000

/** A conversation that nobody else is in. */
const LAST = 'last'

export interface SiegeParts {
  seed: number
  /** How long processes are hurt. */
  seconds: number
  /** Whether that goes on until each way to hurt them came once, however slow the machine is. */
  wholeRound?: boolean
  /** Whether the hub is also frozen for so long that its lines leave it. */
  longFreezes?: boolean
  program?: string
}

/** Agents at work with a person while their processes are hurt. What was wrong is told in sentences. */
export async function besiege({ seed, seconds, wholeRound = false, longFreezes = true, program }: SiegeParts) {
  const record = createRecord()
  const place = await temporaryFolder()
  const data = mkdtempSync(join(place, 'data-'))
  record.roles.push(...castOf(seed))
  const agents = record.roles.map((role) => createAgent({ role, record, data, place, program }))
  let over = false
  const isOver = () => over
  // The reader proves nothing where its line is lost.
  const mortal = agents.filter(({ role }) => role.surface !== 'chat')
  const dice = seeded(seed * 17 + 5)
  const machine = createAttack({
    data,
    agents: mortal,
    record,
    dice,
    program,
    rush: () => person.rush(),
    leave: () => person.leave(),
    forsake: (words) => person.forsake(words),
    asksToo: (agent, words, askAgain) => workOf(agent).asksToo(words, askAgain),
    tellsMuch: (agent) => workOf(agent).tellsMuch(),
    saysMuch: () => person.saysMuch(),
    shown: somethingMore,
    asked: (words) => page.until(() => page.entries.some((entry) => wordsOf(entry) === words)),
  })
  const beginning = begins()
  if (!(await inTime(beginning))) return { record, entries: [], complaints: ['hangs: no line finds its first hub'] }
  const page = openPage(await beginning)
  await page.started
  const person = createPerson({ page, record, dice: seeded(seed * 31 + 1) })
  const working = agents.map((agent, n) => {
    const dice = seeded(seed * 131 + n)
    return startWork({ agent, dice, isOver, answering: person.answering, answered: person.answered })
  })
  const talking = person.chat(isOver)
  await attack()
  over = true
  await quiet()
  for (const agent of agents) agent.leave()
  return { record, entries: page.entries, complaints: judge(record, page.entries) }

  function workOf(agent: Agent) {
    return working[agents.indexOf(agent)] as ReturnType<typeof startWork>
  }

  function somethingMore() {
    const before = page.entries.length
    return page.until(() => page.entries.length > before)
  }

  /** Where the page is, once the first hub is there; or the second. */
  async function begins(): Promise<string> {
    const hurt = dice.chance(0.5) ? machine.killNextHub() : undefined
    const opened = await (agents[0] as Agent).alive()
    await hurt
    return opened.url
  }

  /** Everything once in each round, in an order of chance. */
  async function attack() {
    const wanted = machine.hurts.filter(({ name }) => longFreezes || name !== 'freezeHubLong')
    const end = performance.now() + seconds * 1000
    for (let round = [...wanted], isWhole = !wholeRound; performance.now() < end || !isWhole; ) {
      if (round.length === 0) round = [...wanted]
      const [hurt] = round.splice(dice.below(round.length), 1)
      isWhole ||= round.length === 0
      if (!hurt || (await inTime(machine.once(hurt)))) continue
      record.complaints.push(`hangs: nobody comes back from ${hurt.name}`)
      return
    }
  }

  /** Nobody is hurt any more, but for the hub, once: everyone is there again, and gets what there is. */
  async function quiet() {
    record.tell('machine', 'nothing is hurt any more')
    person.finish()
    await talking
    const rested = await Promise.all(working.map(async (one) => ({ one, isDone: await inTime(one.done) })))
    await inTime(person.settled())
    // Whoever hangs is told of as that.
    const able = rested.filter(({ isDone }) => isDone).map(({ one }) => one)
    await inTime(Promise.all(able.map((one) => one.crossesMuch())))
    const comeBack = person.leave()
    await inTime(Promise.all(able.map((one) => one.leavesApprovals())))
    comeBack()
    // Also before the next hub, which knows nothing of what was on its way and sees to what others left.
    await isAllThere(able)
    record.complaints.push(...lostIn(record, page.entries))
    await nobodyElseWants()
    await everyoneIsThere()
    await isAllThere(able)
    // What comes last comes after everything that was answered.
    await inTime(page.post(LAST, 'over').then(shown))
    try {
      expectWhole(page)
    } catch (error) {
      record.complaints.push(`page: ${(error as Error).message}`)
    }
  }

  async function isAllThere(able: typeof working) {
    await inTime(Promise.all(able.map((one) => one.last())))
    await inTime(person.settled())
    await noOrphans()
  }

  function shown(last: TimelineFrame) {
    return page.until(() => page.entries.some(({ id }) => last.type === 'accepted' && id === last.id))
  }

  /** A call that a hub did not answer before it was stopped. */
  async function nobodyElseWants() {
    const callers = mortal.filter(({ role }) => role.surface === 'agent')
    const agent = callers[seed % callers.length] as Agent
    const look = { tool: 'check_messages', input: {}, words: '' }
    const isDone = await inTime(machine.stopHubUnheard(agent, () => agent.call(look)))
    if (!isDone)
      record.complaints.push(`hangs: ${agent.role.name} waits, and nobody starts a hub after one was stopped`)
  }

  /** After a hub that was killed, without a call. */
  async function everyoneIsThere() {
    const greeted = page.resumed.length
    await machine.killHub()
    const back = await inTime(page.until(() => page.resumed.length > greeted))
    if (!back) record.complaints.push('page: no hub came back')
    const speakers = [...speakersIn(record, page.entries)]
    for (const { role, now } of agents) {
      if (role.surface === 'chat') continue
      const line = now()?.line
      if (line?.endedBy) continue
      const spoke = record.calls.some((call) => call.line === line && call.got && call.words && !call.shared)
      const places = speakers.filter(([, names]) => names.has(role.name)).map(([conversation]) => conversation)
      const isThere = () => places.some((conversation) => !['gone', undefined].includes(page.agents.get(conversation)))
      if (spoke && !(await inTime(page.until(isThere), PATIENCE_MS / 4)))
        record.complaints.push(`absent: ${role.name} is connected, and the page does not show it`)
    }
  }

  /** What nobody waits for is not to be allowed any more. */
  async function noOrphans() {
    const settled = () =>
      new Set(page.entries.flatMap(({ body }) => (body.kind === 'settlement' ? [body.question] : [])))
    const open = () => page.entries.filter((entry) => entry.body.kind === 'question' && !settled().has(entry.id))
    if (await inTime(page.until(() => open().length === 0))) return
    for (const entry of open())
      record.complaints.push(`orphan: "${wordsOf(entry)}" of ${entry.conversation} is open still`)
  }
}

async function inTime(event: Promise<unknown>, ms = PATIENCE_MS): Promise<boolean> {
  const clock = new AbortController()
  const late = pause(ms, false, { signal: clock.signal })
  const isThere = await Promise.race([event.then(() => true), late])
  clock.abort()
  late.catch(() => {})
  return isThere
}
