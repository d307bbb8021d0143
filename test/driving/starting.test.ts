import { expect, test } from 'vitest'
import type { Entry } from '../../src/protocol/entries/entry.ts'
import { RUNNER } from '../support/driven/runner.ts'
import { startHub, temporaryFolder, viewOf } from '../support/hub.ts'
import { connectPage, type Frame } from '../support/socket.ts'
import { uploaded } from '../support/uploads.ts'

const MODES = {
  current: 'ask',
  all: [
    { id: 'ask', name: 'Ask first' },
    { id: 'yolo', name: 'Just do it' },
  ],
}
const MODELS = { current: 'small', all: [{ id: 'small', name: 'Small' }] }

/** A hub with a page and a runner that has modes and models. */
async function startOffered(data?: string, more: object = {}) {
  const hub = await startHub(data)
  hub.view.driver().offerRunner({ ...RUNNER, modes: MODES, models: MODELS, ...more }, 'run-1')
  return { ...hub, page: await connectPage(hub.url) }
}

test('[O30] a conversation begins with a runner: its title, the run settings and the first message in one append', async () => {
  const { view, page } = await startOffered()
  const text = 'Please find out why the checkout of the shop fails on phones since Tuesday'
  page.say({ type: 'start', key: 's', runner: 'tests', mode: 'yolo', model: 'small', delivery: 'steer', text })
  const frames: Frame[] = []
  const one = (wanted: string) => frames.find(({ type }) => type === wanted)
  while (!one('entries') || !one('started')) frames.push(await page.any())
  const told = one('entries') as Frame & { entries: Entry[] }
  const started = one('started') as Frame & { conversation: string }
  expect(started).toMatchObject({ key: 's', id: told.entries.at(-1)?.id })
  expect(started.conversation).toMatch(/^tests-[0-9a-f]{8}$/)
  const title = 'Please find out why the checkout of the shop fails on phones…'
  expect(told.entries.map(({ conversation, body }) => ({ conversation, ...body }))).toEqual(
    [
      { kind: 'title', title, folder: '/home/ada/shop', look: 0 },
      { kind: 'wish', by: 'person', runner: 'tests', mode: 'yolo', model: 'small', delivery: 'steer' },
      { kind: 'message', author: 'user', by: 'person', text },
    ].map((body) => ({ conversation: started.conversation, ...body })),
  )
  expect(await view.conversation(started.conversation)).toMatchObject({
    title,
    folder: '/home/ada/shop',
    wish: { runner: 'tests', mode: 'yolo', model: 'small', delivery: 'steer' },
  })
})

test('[O30] the same start again is the same conversation, also at the next hub and when the runner is gone', async () => {
  const data = await temporaryFolder()
  const hub = await startOffered(data)
  const start = { type: 'start', key: 's', runner: 'tests', text: 'Hello' }
  hub.page.say(start)
  hub.page.say(start)
  const first = await hub.page.next('started')
  expect(await hub.page.next('started')).toEqual(first)
  await hub.close()
  const next = await startHub(data)
  const page = await connectPage(next.url)
  page.say(start)
  expect(await page.next('started')).toEqual(first)
  const { entries } = await viewOf(next).page(String(first.conversation), { limit: 9 })
  expect(entries).toHaveLength(3)
  expect(await viewOf(next).conversations({ limit: 9 })).toHaveLength(1)
})

test('[O30] where somebody spoke already nothing begins, and nothing is said', async () => {
  const start = { type: 'start', key: 's', runner: 'tests', text: 'Hello' }
  const { page: elsewhere } = await startOffered()
  elsewhere.say(start)
  const conversation = String((await elsewhere.next('started')).conversation)
  const { view, page } = await startOffered()
  await view.tell(conversation, { by: 'agent', text: 'Mine' })
  page.say(start)
  expect(await page.next('refused')).toMatchObject({ key: 's', code: 'conflict' })
  const { entries } = await view.page(conversation, { limit: 9 })
  expect(entries.flatMap(({ body }) => (body.kind === 'message' ? body.text : []))).toEqual(['Mine'])
})

test('[O30] what begins with a file is called after it', async () => {
  const { view, page, url } = await startOffered()
  const file = await uploaded(url, 'Hello', { name: 'report.pdf' })
  page.say({ type: 'start', key: 's', runner: 'tests', text: '', attachments: [file] })
  const { conversation } = await page.next('started')
  expect(await view.conversation(String(conversation))).toMatchObject({ title: 'report.pdf' })
})

test('[O31] what cannot be started says why and begins nothing', async () => {
  const { view, page, viewOf } = await startOffered()
  const problem = 'Log in first: run agent login'
  view.driver().offerRunner({ ...RUNNER, name: 'broken', problem }, 'run-2')
  await page.next('runners')
  const refusals = [
    [{ runner: 'nobody' }, 'Runner "nobody" is gone; start it with parley run --name "nobody"'],
    [{ runner: 'broken' }, problem],
    [{ mode: 'plan' }, 'This agent has no mode "plan"; it has ask, yolo'],
    [{ model: 'large' }, 'This agent has no model "large"; it has small'],
    [{ text: ' ' }, '"text" must not be empty'],
    [{ delivery: 'never' }, '"delivery" must be next or steer'],
  ] as const
  for (const [wrong, error] of refusals) {
    page.say({ type: 'start', key: 's', runner: 'tests', text: 'Hello', ...wrong })
    const refused = await page.any()
    expect(refused).toMatchObject({ type: 'refused', key: 's', error })
    if (error === problem) expect(refused).toMatchObject({ code: 'runner_problem' })
  }
  const bound = viewOf({ id: 'ada', name: 'ada', role: 'human', conversation: 'work' })
  await expect(bound.start({ runner: 'tests' }, { text: 'Hello' }, 'k')).rejects.toThrow('Runner "tests" is gone')
  const agent = viewOf({ id: 'bob', name: 'bob', role: 'agent' })
  await expect(agent.start({ runner: 'tests' }, { text: 'Hello' }, 'k')).rejects.toThrow('This is for human or admin')
  expect(await view.conversations({ limit: 9 })).toEqual([])
})

test('[O32] a change of run settings changes what it names, and is refused what the agent does not have', async () => {
  const { view, page } = await startOffered()
  await view.tell('work', { by: 'agent', text: 'Hello' })
  const wish = (wanted: object) =>
    page.say({ type: 'wish', key: JSON.stringify(wanted), conversation: 'work', ...wanted })
  // Nobody drives it and no runner has it, so that nothing is known.
  wish({ mode: 'any' })
  await page.next('accepted')
  wish({ runner: 'tests', mode: 'ask' })
  await page.next('accepted')
  wish({ mode: 'plan' })
  expect(await page.next('refused')).toMatchObject({ error: 'This agent has no mode "plan"; it has ask, yolo' })
  wish({ delivery: 'steer' })
  await page.next('accepted')
  wish({ delivery: 'steer' })
  await page.next('accepted')
  wish({ runner: 'nobody' })
  expect(await page.next('refused')).toMatchObject({ code: 'unknown_runner' })
  wish({})
  expect(await page.next('refused')).toMatchObject({ error: 'The input must name a runner, mode, model or delivery' })
  page.say({ type: 'wish', key: 'k', conversation: 'nowhere', mode: 'ask' })
  expect(await page.next('refused')).toMatchObject({ error: 'Unknown conversation "nowhere"' })
  expect((await view.conversation('work')).wish).toEqual({ runner: 'tests', mode: 'ask', delivery: 'steer' })
  const { entries } = await view.page('work', { limit: 9 })
  expect(entries.filter(({ body }) => body.kind === 'wish')).toHaveLength(3)
})

test('[O32] what the driver shows counts before what its runner offered', async () => {
  const { view, page } = await startOffered()
  await view.tell('work', { by: 'agent', text: 'Hello' })
  const driver = view.driver()
  await driver.acquire('work', 'run-1', 30)
  const modes = { all: [{ id: 'plan', name: 'Plan' }] }
  await driver.showDriven('work', 'run-1', { state: 'idle', modes })
  const wish = (wanted: object) =>
    page.say({ type: 'wish', key: JSON.stringify(wanted), conversation: 'work', ...wanted })
  wish({ mode: 'plan' })
  await page.next('accepted')
  wish({ mode: 'ask' })
  expect(await page.next('refused')).toMatchObject({ error: 'This agent has no mode "ask"; it has plan' })
  // Of another runner that one's own are known.
  wish({ runner: 'tests', mode: 'ask' })
  await page.next('accepted')
})
