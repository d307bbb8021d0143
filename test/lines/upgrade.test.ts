import { expect, test } from 'vitest'
import { giveOrder } from '../../src/doors/socket/order.ts'
import type { HubStatus } from '../../src/protocol/frames/link.ts'
import { VERSION } from '../../src/protocol/version.ts'
import { SOAK } from '../log/contract/place.ts'
import { agentOverStdio, type Era } from '../support/agent.ts'
import { erasOf } from '../support/eras.ts'
import { temporaryFolder } from '../support/hub.ts'
import { hubOf } from '../support/hub-of.ts'
import { otherBuild } from '../support/lines/other-build.ts'
import { expectWhole, openPage, type Page, told, waiting } from '../support/page.ts'
import { startParley } from '../support/process.ts'

const NEWER = '99.0.0'
const OLDER = '0.0.1'
const ROUNDS = SOAK > 1 ? 20 : 1
const INITIALIZE = {
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
}

async function start(data: string, name: string, more: { era?: Era; program?: string } = {}) {
  const agent = await agentOverStdio({
    ...more,
    env: { PARLEY_DATA: data, PARLEY_SESSION: name, PARLEY_MAX_WAIT: '0' },
  })
  return { ...agent, url: (await agent.url) ?? '' }
}

async function statusOf(data: string): Promise<HubStatus> {
  const answer = await giveOrder(data, 'status')
  if (!answer || !('status' in answer)) throw new Error('No hub answers')
  return answer.status
}

async function repliesTo(page: Page, calls: Awaited<ReturnType<typeof waiting>>[]) {
  for (const { question } of calls) await page.answer(question, `re: ${question}`)
  const replies = await Promise.all(calls.map(({ reply }) => reply))
  expect(replies).toEqual(calls.map(({ question }) => ({ reply: `re: ${question}` })))
}

test.each(erasOf('legacy'))('[C50] an older hub hands over to a newer line, and calls go on (%s era)', async (era) => {
  const data = await temporaryFolder()
  const program = await otherBuild(NEWER)
  const [one, two] = [await start(data, 'one', { era }), await start(data, 'two', { era })]
  const page = openPage(one.url)
  const before = [await waiting(one, page, 'Deploy?'), await waiting(two, page, 'Test?')]
  const { pid, version } = await statusOf(data)
  expect(version).toBe(VERSION)
  const newer = await start(data, 'newer', { era, program })
  await page.until(() => page.resumed.length === 2)
  const hub = await statusOf(data)
  expect([hub.version, hub.pid === pid]).toEqual([NEWER, false])
  expect(newer.url).toBe(one.url)
  await repliesTo(page, [...before, await waiting(newer, page, 'New?')])
  await repliesTo(page, [await waiting(one, page, 'Again?')])
  expect(told(page, 'question').map(({ text }) => text)).toEqual(['Deploy?', 'Test?', 'New?', 'Again?'])
  expectWhole(page)
  // Nobody needs to know.
  for (const agent of [one, two, newer]) expect(agent.stderr()).toBe(`${one.url}\n`)
})

test('[C50] an older line just works with a newer hub, which stays', async () => {
  const data = await temporaryFolder()
  const newer = await start(data, 'newer')
  const { pid } = hubOf(data)
  const older = await start(data, 'older', { program: await otherBuild(OLDER) })
  const page = openPage(older.url)
  await repliesTo(page, [await waiting(newer, page, 'New?'), await waiting(older, page, 'Old?')])
  expect(await statusOf(data)).toMatchObject({ version: VERSION, pid })
  expect(older.stderr()).toBe(`${newer.url}\n`)
})

test('[C50] whichever starts the next hub after a newer one was killed, the newer line gets its own', {
  timeout: 60_000 + ROUNDS * 45_000,
}, async () => {
  const data = await temporaryFolder()
  const program = await otherBuild(NEWER)
  const agents = [await start(data, 'older'), await start(data, 'newer', { program })]
  const page = openPage(agents[0]?.url ?? '')
  for (let round = 0; round < ROUNDS; round++) {
    const calls = []
    for (const [n, agent] of agents.entries()) calls.push(await waiting(agent, page, `Question ${n} of ${round}?`))
    process.kill((await statusOf(data)).pid, 'SIGKILL')
    await repliesTo(page, calls)
    const after = []
    for (const [n, agent] of agents.entries()) after.push(await waiting(agent, page, `After ${n} of ${round}?`))
    await repliesTo(page, after)
  }
  expect(await statusOf(data)).toMatchObject({ version: NEWER })
  expect(told(page, 'question')).toHaveLength(ROUNDS * 4)
  expectWhole(page)
})

test('[C51] a line whose link the hub does not know is told what to do in one sentence, and ends', async () => {
  const data = await temporaryFolder()
  const newer = await start(data, 'newer')
  const program = await otherBuild(OLDER, [['hello:{format:1,', 'hello:{format:0,']])
  const line = startParley(['stdio'], { PARLEY_DATA: data }, program)
  const { error } = await line.line(INITIALIZE)
  const sentence =
    `This hub is of Parley ${VERSION} and does not understand Parley ${OLDER}: ` +
    'restart the agent with the newer one, or end the hub with parley stop'
  expect(error).toMatchObject({ message: sentence })
  expect(await line.ended).toMatchObject({ code: 1, stderr: `${sentence}\n` })
  const page = openPage(newer.url)
  await repliesTo(page, [await waiting(newer, page, 'Still there?')])
})
