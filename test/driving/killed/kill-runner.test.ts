import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { SOAK } from '../../log/contract/place.ts'
import { startHubWithSocket, temporaryFolder } from '../../support/hub.ts'
import { hubOf } from '../../support/hub-of.ts'
import { expectWhole, openPage, type Page, told } from '../../support/page.ts'
import { freePort, startParley } from '../../support/process.ts'
import { type Dice, seeded } from '../../support/seeded.ts'

const SEEDS = SOAK > 1 ? 10 : 1
/** Of each seed. */
const MESSAGES = SOAK > 1 ? 50 : 6
const KILLS = SOAK > 1 ? 20 : 2
const HUB_KILLS = SOAK > 1 ? 5 : 1
const AGENT_KILLS = SOAK > 1 ? 5 : 1
const TIMEOUT = { timeout: SOAK > 1 ? 300_000 : 120_000 }

const numbers = Array.from({ length: MESSAGES }, (_, n) => n)
const seeds = Array.from({ length: SEEDS }, (_, n) => n)

// At least one with each kind of agent.
test.for(SEEDS > 1 ? seeds : [0, 1])(
  '[O54] however often the orchestrator is killed, the agent gets each message at most once and in order, and one that it may not have got is told of (seed %i)',
  TIMEOUT,
  async (seed) => {
    const dice = seeded(seed)
    const world = await (seed % 2 === 0 ? openWorld() : openAcpWorld())
    const hub = await startHubWithSocket(world.data)
    const page = openPage(hub.url)
    await page.started
    for (let kills = 0; kills < KILLS; kills++) {
      const { child, ended } = world.run('0')
      const turns = told(page, 'receipt').length
      const said = sayAll(page, dice, share(kills))
      // At any moment: while it starts, while it reads, between two turns or, more often, in one.
      if (dice.chance(0.3)) await pause(dice.below(1200))
      else await page.until(() => told(page, 'receipt').length > turns)
      await pause(dice.below(20))
      child.kill('SIGKILL')
      await Promise.all([ended, said])
    }
    world.run('0')
    await expectOnce(page, world.seen)
  },
)

test.for(seeds)(
  '[O55] a hub that is killed and comes back changes nothing for the agent (seed %i)',
  TIMEOUT,
  async (seed) => {
    const dice = seeded(seed + 100)
    const world = await openWorld()
    const port = await freePort()
    world.run(`${port}`)
    const page = openPage(`http://localhost:${port}`)
    await page.started
    const said = sayAll(page, dice, numbers)
    for (let kills = 0; kills < HUB_KILLS; kills++) {
      await pause(dice.below(400))
      const { pid, ended } = hubOf(world.data)
      process.kill(pid, 'SIGKILL')
      await ended()
      await page.post('elsewhere', 'Are you there?')
    }
    await said
    expect(await expectOnce(page, world.seen)).toBe(0)
  },
)

test.for(seeds)(
  '[O56] an agent that is killed in its turn is told of, and the next message is given to the next one (seed %i)',
  TIMEOUT,
  async (seed) => {
    const dice = seeded(seed + 200)
    const world = await openWorld()
    const hub = await startHubWithSocket(world.data)
    world.run('0')
    const page = openPage(hub.url)
    await page.started
    for (let kills = 0; kills < AGENT_KILLS; kills++) {
      await page.post('work', `<hold ${kills}>`)
      const pid = await world.pidAt(page, kills)
      await pause(dice.below(20))
      process.kill(-pid, 'SIGKILL')
      await page.until(() => told(page, 'error').length === kills + 1)
    }
    await page.post('work', '<last>')
    await page.until(() => told(page, 'turn').length === AGENT_KILLS + 1)
    expect(world.seen()).toEqual([...Array.from({ length: AGENT_KILLS }, (_, n) => `<hold ${n}>`), '<last>'])
    expect(told(page, 'error').map(({ error }) => error.split(' ').slice(-4).join(' '))).toEqual(
      Array(AGENT_KILLS).fill('was ended by SIGKILL'),
    )
  },
)

/** A program that notes what it is told, says it again, and waits for ever where it is told to. */
async function openWorld() {
  const data = await temporaryFolder()
  const [log, pids] = [join(data, 'seen.log'), join(data, 'pids.log')]
  const note = `t=$(cat); printf %s "$t" >> ${log}; printf %s "$t"`
  const command = `echo $$ >> ${pids}; ${note}; case "$t" in *hold*) sleep 1000;; esac`
  return { data, run: (port: string) => run(['--command', command], data, port), seen: () => textsIn(log), pidAt }

  /** Of the program that was started for the prompt at this place. */
  async function pidAt(page: Page, place: number): Promise<number> {
    await page.until(() => told(page, 'receipt').length > place)
    for (;;) {
      const pid = read(pids).split('\n').filter(Boolean)[place]
      if (pid && textsIn(log).length > place) return Number(pid)
      await pause(5)
    }
  }
}

/** The same with an agent that lives on between turns and can go on with its session. */
async function openAcpWorld() {
  const data = await temporaryFolder()
  const agent = `${process.execPath} ${new URL('../../support/driven/acp-agent.ts', import.meta.url).pathname}`
  const seen = () => textsIn(join(data, 'prompts.jsonl'))
  return { data, run: (port: string) => run(['--acp', agent, '--cwd', data], data, port), seen }
}

function run(agent: string[], data: string, port: string) {
  return startParley(['run', ...agent, '--conversation', 'work', '--data', data], {
    PORT: port,
    PARLEY_MAX_RATE: '1000000',
  })
}

function textsIn(path: string): string[] {
  return read(path).match(/<[^>]+>/g) ?? []
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // Nobody wrote anything yet.
    return ''
  }
}

async function sayAll(page: Page, dice: Dice, some: number[]) {
  for (const n of some) {
    await page.post('work', `<${n}>`)
    await pause(dice.below(60))
  }
}

/** What is said while the orchestrator runs for this time. */
function share(kills: number): number[] {
  return numbers.filter((n) => n % KILLS === kills % KILLS)
}

/** How many were told of as not done. */
async function expectOnce(page: Page, seen: () => string[]): Promise<number> {
  await page.post('work', '<end>')
  await page.until(() => answers(page).some((text) => text.includes('<end>')))
  await page.until(() => told(page, 'turn').at(-1)?.outcome === 'ended')
  const mine = told(page, 'message').filter(({ conversation }) => conversation === 'work')
  const all = mine.flatMap(({ author, text }) => (author === 'user' ? [text] : []))
  expect(all).toHaveLength(MESSAGES + 1)
  const got = seen()
  expect(got).toEqual(all.filter((text) => got.includes(text)))
  const failures = told(page, 'turn').filter(({ outcome }) => outcome === 'failed').length
  expect(told(page, 'error')).toHaveLength(failures)
  // Each answer is there once: what a killed turn had said is part of it, or all of it.
  const said = answers(page).flatMap((text) => text.match(/<[^>]+>/g) ?? [])
  expect(said).toEqual([...new Set(said)])
  const missing = all.filter((text) => !got.includes(text))
  expect(missing.map((text) => outcomeOf(page, text))).toEqual(missing.map(() => 'failed'))
  expectWhole(page)
  return failures
}

/** How the turn ended that a message was given to. */
function outcomeOf(page: Page, text: string): string | undefined {
  const message = page.entries.find(({ body }) => body.kind === 'message' && body.text === text)?.id ?? ''
  const received = page.entries.findIndex(({ body }) => body.kind === 'receipt' && body.messages?.includes(message))
  const turn = page.entries.slice(received).find(({ body }) => body.kind === 'turn')
  return turn?.body.kind === 'turn' ? turn.body.outcome : undefined
}

function answers(page: Page): string[] {
  return told(page, 'message').flatMap(({ author, text }) => (author === 'assistant' ? [text] : []))
}
