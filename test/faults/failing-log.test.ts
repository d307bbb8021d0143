import { once } from 'node:events'
import { createServer } from 'node:net'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { openHub } from '../../src/hub/hub.ts'
import { SOAK } from '../log/contract/place.ts'
import { agentOverHttp } from '../support/agent.ts'
import { nextQuestion } from '../support/chat.ts'
import { type FailingLog, openFailingLog } from '../support/faults/failing-log.ts'
import { ended, talk, talkElsewhere } from '../support/faults/failing-talk.ts'
import { startHub, viewOf } from '../support/hub.ts'
import { freePort } from '../support/process.ts'

/** For dozens of hubs, one after the other. */
const TIMEOUT = { timeout: 300_000 }

/** What nobody heard of. */
let unheard: unknown[] = []

beforeEach(() => {
  unheard = []
  const hear = (error: unknown) => unheard.push(error)
  for (const event of ['unhandledRejection', 'uncaughtException'] as const) {
    process.on(event, hear)
    onTestFinished(() => void process.off(event, hear))
  }
  // Where the hub reports what goes wrong.
  vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  onTestFinished(() => void vi.restoreAllMocks())
})

function config(port: number) {
  return { host: '127.0.0.1', port, data: 'memory' }
}

async function open(log: FailingLog['log'], port: number) {
  return ended('opening', openHub(config(port), { openLog: async () => log }))
}

async function expectAllClosed({ isClosed, failed }: FailingLog, port: number) {
  expect(isClosed(), failed()).toBe(true)
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  server.close()
  await new Promise(setImmediate)
  expect(unheard, failed()).toEqual([])
}

/** The n-th call fails; answers whether there was one. */
async function runWithOneFailure(at: number): Promise<boolean> {
  const failing = await openFailingLog({ at, dead: false })
  const port = await freePort()
  const hub = await open(failing.log, port)
  if (!(hub instanceof Error)) {
    await talk(hub, failing)
    if (failing.failed() !== undefined)
      expect(await ended('talking elsewhere', talkElsewhere(hub, failing)), failing.failed()).toEqual({ reply: 'Yes' })
    await ended('closing', hub.close())
  }
  await expectAllClosed(failing, port)
  return failing.failed() !== undefined
}

/** From the n-th call on, all fail. */
async function runWithDeath(at: number): Promise<boolean> {
  const failing = await openFailingLog({ at, dead: true })
  const port = await freePort()
  const hub = await open(failing.log, port)
  if (!(hub instanceof Error)) {
    await talk(hub, failing)
    if (failing.failed() === undefined) await ended('closing', hub.close())
    else
      expect(
        await ended(
          'ending itself',
          hub.failed.then(() => 'ended'),
        ),
        failing.failed(),
      ).toBe('ended')
  }
  await expectAllClosed(failing, port)
  return failing.failed() !== undefined
}

/** Each call in turn, until there are no more; without `PARLEY_SOAK` every ninth, once the hub is open. */
async function inTurn(run: (at: number) => Promise<boolean>) {
  for (let at = 1; await run(at); at += SOAK > 1 || at < 10 ? 1 : 9);
}

test(
  '[Q29] whichever call of the log fails, everything ends, nothing is left unheard, and the hub goes on',
  TIMEOUT,
  async () => {
    await inTurn(runWithOneFailure)
  },
)

test(
  '[Q29] [Q30] whenever the log dies, everything ends, nothing is left unheard, and the hub ends itself',
  TIMEOUT,
  async () => {
    await inTurn(runWithDeath)
  },
)

test('[Q30] what waits is told that the log cannot be used any more', async () => {
  const failing = await openFailingLog({ at: Number.POSITIVE_INFINITY, dead: true })
  const hub = await openHub(config(await freePort()), { openLog: async () => failing.log })
  const agent = await agentOverHttp(hub.url)
  const call = agent.ask('Deploy?')
  call.catch(() => {})
  await nextQuestion(viewOf(hub))
  failing.die()
  await expect(call).rejects.toThrow('The log can no longer be used; restart Parley')
  expect(await hub.failed).toMatchObject({ message: 'The log is dead' })
  await expectAllClosed(failing, hub.port)
})

test('[Q31] a hub that cannot be opened closes whatever it had opened', async () => {
  for (let at = 1; ; at++) {
    const failing = await openFailingLog({ at, dead: true })
    const port = await freePort()
    const hub = await open(failing.log, port)
    if (!(hub instanceof Error)) await ended('closing', hub.close())
    await expectAllClosed(failing, port)
    if (!(hub instanceof Error)) break
  }
  const taken = await startHub()
  const failing = await openFailingLog({ at: Number.POSITIVE_INFINITY, dead: false })
  expect(await open(failing.log, taken.port)).toMatchObject({ code: 'port_taken' })
  expect(failing.isClosed()).toBe(true)
})
