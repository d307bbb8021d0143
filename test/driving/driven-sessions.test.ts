import { expect, onTestFinished, test, vi } from 'vitest'
import { GOES_ON } from '../../src/protocol/entries/title.ts'
import { lineTo, startDriven, startRunner, watching } from '../support/driven/driven.ts'
import { scriptedDriver } from '../support/driven/scripted-driver.ts'
import { connectPage } from '../support/socket.ts'

test('[O57] with no more sessions than are allowed, the one that was idle the longest sleeps, and wakes when it is spoken to', async () => {
  const agent = scriptedDriver(() => undefined, { id: ({ conversation }) => `session of ${conversation}` })
  const { view } = await startDriven({ driver: agent.driver, name: 'robot', maxSessions: 2 })
  const talks = [await start('a'), await start('b'), await start('c')]
  const [a, b, c] = talks
  expect(agent.started.map(({ conversation }) => conversation)).toEqual([a, b, c].map((talk) => talk?.conversation))
  expect(agent.stopped).toEqual([a?.conversation])
  await say(a, 'And now?')
  expect(agent.started.at(-1)).toMatchObject({ conversation: a?.conversation, resume: `session of ${a?.conversation}` })
  expect(agent.stopped).toEqual([a?.conversation, b?.conversation])

  async function start(text: string) {
    const { conversation } = await view.start({ runner: 'robot' }, { text }, text)
    const watch = watching(view, conversation)
    await watch.until('turn')
    return { conversation, watch }
  }

  async function say(talk: Awaited<ReturnType<typeof start>> | undefined, text: string) {
    if (!talk) return
    const turns = talk.watch.bodies('turn').length
    await view.say(talk.conversation, { text })
    await talk.watch.until('turn', turns + 1)
  }
})

test('[O57] where all of them are at work, a message waits and says so', async () => {
  const { promise: goOn, resolve: finish } = Promise.withResolvers<void>()
  const agent = scriptedDriver(async ({ text }) => {
    if (text === 'Long') await goOn
    return undefined
  })
  const { view, hub } = await startDriven({ driver: agent.driver, name: 'robot', maxSessions: 1 })
  const page = await connectPage(hub.url)
  const { conversation: one } = await view.start({ runner: 'robot' }, { text: 'Long' }, 'one')
  await watching(view, one).until('receipt')
  const { conversation: second } = await view.start({ runner: 'robot' }, { text: 'Short' }, 'two')
  const two = watching(view, second)
  for (;;) {
    const { conversation, driven } = await page.next('driven')
    const { notice } = (driven ?? {}) as { notice?: string }
    if (conversation === second && notice?.startsWith('All sessions of this runner are at work')) break
  }
  finish()
  await two.until('turn')
  expect(two.bodies('error')).toEqual([])
  expect(agent.prompts).toEqual(['Long', 'Short'])
})

test('[O57] an agent with nothing to do sleeps after a while, and the page says so', async () => {
  const goOn = Promise.withResolvers<void>()
  const agent = scriptedDriver(async () => {
    await goOn.promise
    return undefined
  })
  const { view, hub } = await startDriven({ driver: agent.driver, idleMs: 1 })
  const page = await connectPage(hub.url)
  await view.say('work', { text: 'Hello' })
  await untilDriven(page, ({ state }) => state === 'working')
  goOn.resolve()
  await untilDriven(page, ({ state }) => state === 'asleep')
  expect(agent.stopped).toEqual(['work'])
})

test('[O58] a runner is offered with what its agent can do, and drives what is begun with it, as it is wished', async () => {
  const modes = {
    current: 'ask',
    all: [
      { id: 'ask', name: 'Ask' },
      { id: 'auto', name: 'Auto' },
    ],
  }
  const agent = scriptedDriver((_, { happens }) => {
    happens({ type: 'controls', modes, commands: [{ name: 'compact' }] })
    happens({ type: 'title', title: 'A good title' })
    happens({ type: 'notice', text: 'It is slow today' })
    return undefined
  })
  const { view, hub } = await startDriven({ driver: agent.driver, name: 'robot' })
  const page = await connectPage(hub.url)
  expect(page.welcome.runners).toMatchObject([{ name: 'robot', agent: 'scripted', max_sessions: 5 }])
  page.say({ type: 'start', key: 'k1', runner: 'robot', text: 'Hello' })
  const { conversation } = await page.next('started')
  const watch = watching(view, String(conversation))
  await watch.until('turn')
  expect(agent.prompts).toEqual(['Hello'])
  expect(await watch.until('title', 2)).toMatchObject([{}, { title: 'A good title' }])
  await untilDriven(page, ({ notice }) => notice === 'It is slow today')
  await view.changeRunSettings(String(conversation), { mode: 'auto' })
  await view.say(String(conversation), { text: 'Again' })
  await watch.until('turn', 2)
  expect(agent.chosen).toEqual([{ mode: 'auto' }])
  await view.say('of nobody', { text: 'Not for the runner' })
  await view.changeRunSettings(String(conversation), { runner: 'robot' })
})

test('[O217] a runner that is given a conversation goes on as soon as the one before has let go', async () => {
  // No renewal of a lease ever comes.
  vi.useFakeTimers({ toFake: ['setInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { promise: goOn, resolve: end } = Promise.withResolvers<void>()
  const before = scriptedDriver(() => undefined, { stops: () => goOn })
  const next = scriptedDriver(() => undefined)
  const { data, view } = await startDriven({ driver: before.driver, name: 'one' })
  let tries = 0
  const { promise: triedAgain, resolve: again } = Promise.withResolvers<void>()
  const connect = () => {
    const transport = lineTo(data)
    const { send } = transport
    transport.send = (message, options) => {
      if (JSON.stringify(message).includes('hold_conversation') && ++tries === 2) again()
      return send.call(transport, message, options)
    }
    return transport
  }
  await startRunner(data, { driver: next.driver, name: 'other', state: ':memory:', connect })
  const { conversation } = await view.start({ runner: 'one' }, { text: 'Hello' }, 'k1')
  const watch = watching(view, conversation)
  await watch.until('turn')
  await view.changeRunSettings(conversation, { runner: 'other' })
  await view.say(conversation, { text: 'Go on' })
  await triedAgain
  end()
  await watch.until('turn', 2)
  expect([before.prompts, next.prompts]).toEqual([['Hello'], ['Go on']])
})

test('[O218] [O261] [S236] an agent with more models and commands than a message holds is shown, and any of them can be chosen', async () => {
  const description = 'x'.repeat(900)
  const all = Array.from({ length: 1500 }, (_, n) => ({ id: `model-${n}`, name: `Model ${n}`, description }))
  const commands = Array.from({ length: 150 }, (_, n) => ({ name: `command-${n}`, description }))
  const agent = scriptedDriver((_, { happens }) => {
    happens({ type: 'controls', models: { current: 'model-1499', all }, commands })
    happens({ type: 'notice', text: 'It is slow today' })
    return undefined
  })
  const { view, hub } = await startDriven({ driver: agent.driver, name: 'robot' })
  const page = await connectPage(hub.url)
  const { conversation } = await view.start({ runner: 'robot' }, { text: 'Hello' }, 'k1')
  const watch = watching(view, conversation)
  await untilDriven(page, ({ state, notice }) => state === 'idle' && notice === 'It is slow today')
  // The offer of a runner is told apart from what it does.
  await expect.poll(() => view.driving.runners()).toMatchObject([{ models: { total: 1500, current: 'model-1499' } }])
  const models = view.driving.runners()?.[0]?.models
  expect(models?.all.at(-1)).toEqual({ id: 'model-1499', name: 'Model 1499' })
  const left = 'model-1400'
  expect(models?.all.some(({ id }) => id === left)).toBe(false)
  const named = { found: [{ id: left, name: 'Model 1400', description: `${'x'.repeat(200)}…` }], total: 1 }
  for (const place of [{ conversation }, { runner: 'robot' }]) {
    expect(await view.choices({ ...place, list: 'models', query: '1400 model' })).toEqual(named)
    const first = await view.choices({ ...place, list: 'models' })
    expect(first).toMatchObject({ total: 1500, next: 100 })
    const seen = first.found
    for (let after = first.next; after !== undefined; ) {
      const page = await view.choices({ ...place, list: 'models', after })
      seen.push(...page.found)
      after = page.next
    }
    expect(seen.map(({ id }) => id)).toEqual(all.map(({ id }) => id))
  }
  const inside = view.within(conversation)
  expect(await inside.choices({ conversation, list: 'models', query: '1400 model' })).toEqual(named)
  for (const place of [{ conversation: 'another' }, { runner: 'robot' }])
    await expect(inside.choices({ ...place, list: 'models' })).rejects.toMatchObject({
      code: expect.stringMatching(/^unknown_/),
    })
  // The commands are all there without their descriptions.
  expect(await view.choices({ conversation, list: 'commands', query: '149' })).toMatchObject({ total: 1 })
  await view.changeRunSettings(conversation, { model: left })
  await view.say(conversation, { text: 'Again' })
  await watch.until('turn', 2)
  expect(agent.chosen).toEqual([{ model: left }])
})

test('[O256] a title of an agent that its conversation has already changes nothing', async () => {
  const { driver } = scriptedDriver((_, { happens }) => {
    happens({ type: 'title', title: 'Go' })
    return { outcome: 'ended' }
  })
  const { view } = await startDriven({ driver, name: 'robot' })
  const { conversation } = await view.start({ runner: 'robot' }, { text: 'Go' }, 'first')
  const watch = watching(view, conversation)
  await watch.until('title', 2)
  expect(watch.bodies('title')).toMatchObject([{ title: 'Go' }, { title: 'Go', overruled: true }])
})

test('[O257] a title made of what an agent is told of an earlier conversation takes the place of none', async () => {
  const title = `${GOES_ON} What was said last: Person: Remember 42`
  const { driver } = scriptedDriver((_, { happens }) => {
    happens({ type: 'title', title })
    return { outcome: 'ended' }
  })
  const { view } = await startDriven({ driver, name: 'robot' })
  const { conversation } = await view.start({ runner: 'robot' }, { text: 'And then?' }, 'first')
  await watching(view, conversation).until('title', 2)
  expect((await view.conversation(conversation)).title).toBe('And then?')
})

async function untilDriven(page: Awaited<ReturnType<typeof connectPage>>, fits: (driven: Driven) => boolean) {
  for (;;) {
    const { driven } = await page.next('driven')
    if (driven && fits(driven as Driven)) return
  }
}

interface Driven {
  state: string
  notice?: string
}
