import { expect, test } from 'vitest'
import { TimelineFrame } from '../../src/protocol/frames/timeline.ts'
import { connectRunner, growing, RUNNER } from '../support/driven/runner.ts'
import { startHub, temporaryFolder } from '../support/hub.ts'
import { connect, connectPage } from '../support/socket.ts'

test('[O20] pages see runners come, change and go', async () => {
  const { url } = await startHub()
  const runner = await connectRunner(url)
  const page = await connectPage(url)
  expect(page.welcome).toMatchObject({ runners: [], driven: {} })
  const { until } = await runner.offer()
  expect(Date.parse(String(until))).toBeGreaterThan(Date.now())
  expect(TimelineFrame.parse(await page.next('runners'))).toEqual({ type: 'runners', runners: [RUNNER] })
  expect((await connectPage(url)).welcome).toMatchObject({ runners: [RUNNER] })
  // An offer that says nothing new is no news.
  await runner.offer()
  const problem = 'Log in first: run agent login'
  await runner.offer({ problem })
  expect(await page.next('runners')).toEqual({ type: 'runners', runners: [{ ...RUNNER, problem }] })
  await runner.withdraw()
  expect(await page.next('runners')).toEqual({ type: 'runners', runners: [] })
})

test('[O21] a second run of the same name is refused with what to do, and the first one stays', async () => {
  const { url, view } = await startHub()
  await (await connectRunner(url)).offer()
  const second = await connectRunner(url, 'run-2')
  await expect(second.offer({ folder: '/elsewhere' })).rejects.toThrow(
    'A runner "tests" is already there, in /home/ada/shop; choose another name with --name, or end that one first',
  )
  await second.withdraw()
  expect(view.driving.runners()).toEqual([RUNNER])
})

test('[O103] pages are told of a run that could not begin; one without a sentence is refused', async () => {
  const { url } = await startHub()
  const runner = await connectRunner(url)
  const page = await connectPage(url)
  const failed = { ...RUNNER, problem: 'Robo wants a login' }
  await runner.does('show_failed_run', { runner: failed })
  const told = TimelineFrame.parse(await page.next('runners'))
  expect(told).toEqual({ type: 'runners', runners: [{ ...failed, failed_at: expect.any(Number) }] })
  expect((await connectPage(url)).welcome).toMatchObject({ runners: [failed] })
  await expect(runner.does('show_failed_run', { runner: RUNNER })).rejects.toThrow('runner.problem')
})

test('[O21] who may see one conversation only cannot offer to begin others', async () => {
  const { viewOf, view } = await startHub()
  const bound = viewOf({ id: 'bob', name: 'bob', role: 'orchestrator', conversation: 'work' })
  expect(() => bound.driver().offerRunner(RUNNER, 'run-1')).toThrow(
    'People begin conversations with a runner, and bob may see only one; use a token for all of them',
  )
  expect(() => bound.driver().showFailedRun({ ...RUNNER, problem: 'No' })).toThrow('bob may see only one')
  expect(view.driving.runners()).toEqual([])
})

test('[O22] who does not hold a conversation can show nothing of it', async () => {
  const { url, view } = await startHub()
  const [holder, other] = [await connectRunner(url), await connectRunner(url, 'run-2')]
  const refused = 'You do not hold "work"; call hold_conversation first'
  await expect(holder.show({ state: 'working' })).rejects.toThrow(refused)
  await expect(holder.grow([growing('a', 0, 'Text')])).rejects.toThrow(refused)
  await holder.acquire()
  await expect(other.show({ state: 'working' })).rejects.toThrow('"work" is held by')
  await expect(other.grow([growing('a', 0, 'Text')])).rejects.toThrow('"work" is held by')
  expect(view.driving.driven()).toEqual([])
  expect(view.driving.growing()).toEqual([])
  expect(view.agentState('work')).toBe('idle')
})

test('[O23] a new hub knows of an agent as soon as its driver does anything', async () => {
  const data = await temporaryFolder()
  const first = await startHub(data)
  await (await connectRunner(first.url)).acquire()
  await first.close()
  const { url, view } = await startHub(data)
  await (await connectRunner(url)).grow([growing('a', 0, 'Text')])
  expect(view.agentState('work')).toBe('idle')
})

test('[O24] every page sees what is driven and how, also who comes later, and when nobody drives it any more', async () => {
  const { url, view } = await startHub()
  await view.say('work', { text: 'Hello' })
  const runner = await connectRunner(url)
  const page = await connectPage(url)
  await runner.acquire()
  expect(await page.next('agent')).toMatchObject({ conversation: 'work', state: 'idle' })
  const driven = {
    runner: 'tests',
    state: 'working' as const,
    modes: { current: 'ask', all: [{ id: 'ask', name: 'Ask first' }] },
    commands: [{ name: 'review' }],
    notice: 'It is silent',
  }
  await runner.show(driven)
  expect(await page.next('agent')).toMatchObject({ conversation: 'work', state: 'working' })
  const told = await page.next('driven')
  expect(TimelineFrame.parse(told)).toEqual({ type: 'driven', conversation: 'work', driven })
  const late = await connectPage(url)
  expect(late.welcome).toMatchObject({ driven: { work: driven }, agents: { work: { state: 'working' } } })
  await runner.release()
  for (const one of [page, late]) {
    expect(await one.next('agent')).toMatchObject({ conversation: 'work', state: 'gone' })
    expect(await one.next('driven')).toEqual({ type: 'driven', conversation: 'work' })
  }
  expect((await connectPage(url)).welcome).toMatchObject({ driven: {} })
})

test('[O34] who sees one conversation is told of its agent and its text, and of no other and of no runner', async () => {
  const { url, view } = await startHub()
  await view.say('work', { text: 'Hello' })
  const runner = await connectRunner(url)
  for (const conversation of ['work', 'other']) {
    await runner.acquire(conversation)
    await runner.show({ state: 'working' }, conversation)
  }
  const page = await connect(url, '/ws?dialect=timeline&session=work')
  page.say({ type: 'hello' })
  const welcome = await page.next('welcome')
  expect(welcome.driven).toEqual({ work: { state: 'working' } })
  expect(welcome).not.toHaveProperty('runners')
  await page.next('page')
  await runner.offer()
  await runner.show({ state: 'waiting' }, 'other')
  await runner.grow([growing('a', 0, 'Other')], undefined, 'other')
  await runner.grow([growing('b', 0, 'Own')])
  const told = await page.any()
  expect(told).toEqual({ type: 'partial', conversation: 'work', by: 'bob', partials: [growing('b', 0, 'Own')] })
})
