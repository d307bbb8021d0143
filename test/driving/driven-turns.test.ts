import { expect, test } from 'vitest'
import type { Happening } from '../../src/agents/driver.ts'
import { BEFORE_ALL } from '../../src/protocol/entries/entry.ts'
import { startDriven } from '../support/driven/driven.ts'
import { scriptedDriver } from '../support/driven/scripted-driver.ts'

const NOTHING = undefined

/** Something that a test lets happen. */
function signal() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { happened: promise, happen: resolve }
}

test('[O40] what a person says is the agent’s prompt, and its answer is one message', async () => {
  const { driver, prompts } = scriptedDriver((_, { happens }) => {
    for (const text of ['Hel', 'lo ', 'you']) happens({ type: 'text', text })
    return { tokens: { input: 3, output: 5 }, cost: { amount: 0.01, currency: 'USD' } }
  })
  const { view, watch, runner } = await startDriven({ driver })
  const { id } = await view.say('work', { text: 'Hello' })
  expect(await watch.until('turn')).toMatchObject([
    { outcome: 'ended', duration_ms: expect.any(Number), tokens: { output: 5 }, cost: { currency: 'USD' } },
  ])
  expect(prompts).toEqual(['Hello'])
  expect(watch.bodies('message').map(({ author, text, by }) => [author, text, by])).toEqual([
    ['user', 'Hello', expect.any(String)],
    ['assistant', 'Hello you', 'scripted'],
  ])
  expect(watch.bodies('receipt')).toMatchObject([{ messages: [id] }])
  expect(runner.problems).toEqual([])
})

test('[O41] what is said during a turn is the next one, as it is by then and without what was taken back', async () => {
  const [begun, goOn] = [signal(), signal()]
  const { driver, prompts } = scriptedDriver(async ({ text }) => {
    begun.happen()
    if (text === 'First') await goOn.happened
    return NOTHING
  })
  const { view, watch } = await startDriven({ driver })
  await view.say('work', { text: 'First' })
  await begun.happened
  const wrong = await view.say('work', { text: 'Wrong' })
  const second = await view.say('work', { text: 'Second' })
  await view.say('work', { text: 'Third' })
  await view.revise('work', wrong.id, undefined)
  await view.revise('work', second.id, 'Second, better')
  goOn.happen()
  await watch.until('turn', 2)
  expect(prompts).toEqual(['First', 'Second, better\n\nThird'])
})

test('[O151] what is changed or taken back once the agent has it is said to it in the next turn, and each once', async () => {
  const { driver, prompts } = scriptedDriver(() => NOTHING)
  const { view, watch, runner } = await startDriven({ driver })
  const first = await view.say('work', { text: 'Blue' })
  await watch.until('turn')
  await view.revise('work', first.id, 'Red')
  await watch.until('turn', 2)
  await view.revise('work', first.id, undefined)
  await watch.until('turn', 3)
  await view.say('work', { text: 'Go on' })
  await watch.until('turn', 4)
  expect(prompts).toEqual([
    'Blue',
    'The person changed an earlier message, "Blue". It now says:\n\nRed',
    'The person took back an earlier message, "Red". Do not act on it.',
    'Go on',
  ])
  expect(runner.problems).toEqual([])
})

test('[O151] a change goes into the turn that runs, where words do', async () => {
  const [begun, goOn, given] = [signal(), signal(), signal()]
  const steered: string[] = []
  const { driver } = scriptedDriver(
    async () => {
      begun.happen()
      await goOn.happened
      return NOTHING
    },
    {
      steer: async ({ text }) => {
        steered.push(text)
        given.happen()
        return true
      },
    },
  )
  const { view, watch } = await startDriven({ driver, delivery: 'steer' })
  const first = await view.say('work', { text: 'Blue' })
  await begun.happened
  await view.revise('work', first.id, 'Red')
  await given.happened
  goOn.happen()
  await watch.until('turn')
  expect(steered).toEqual(['The person changed an earlier message, "Blue". It now says:\n\nRed'])
})

test('[O42] where it is wanted, what is said during a turn goes into it, or waits when the agent cannot take it', async () => {
  const [begun, goOn, given] = [signal(), signal(), signal()]
  const steered: string[] = []
  const { driver, prompts } = scriptedDriver(
    async ({ text }) => {
      begun.happen()
      if (text === 'First') await goOn.happened
      return NOTHING
    },
    {
      async steer({ text }) {
        steered.push(text)
        if (text === 'Not now') given.happen()
        return text !== 'Not now'
      },
    },
  )
  const { view, watch } = await startDriven({ driver, delivery: 'steer' })
  await view.say('work', { text: 'First' })
  await begun.happened
  await view.say('work', { text: 'Also this' })
  await watch.until('receipt', 2)
  await view.say('work', { text: 'Not now' })
  await given.happened
  goOn.happen()
  await watch.until('turn', 2)
  expect(steered).toEqual(['Also this', 'Not now'])
  expect(prompts).toEqual(['First', 'Not now'])
})

test('[O43] a stop ends the turn and is no text; its words are the next one', async () => {
  const begun = [signal(), signal()]
  const { driver, prompts } = scriptedDriver(async ({ text }, { stopped }) => {
    if (text === 'One') begun[0]?.happen()
    if (text === 'Two') begun[1]?.happen()
    if (text !== 'Rather three') await stopped
    return NOTHING
  })
  const { view, watch } = await startDriven({ driver })
  await view.say('work', { text: 'One' })
  await begun[0]?.happened
  await view.interrupt('work')
  expect(await watch.until('turn')).toMatchObject([{ outcome: 'cancelled' }])
  await view.say('work', { text: 'Two' })
  await begun[1]?.happened
  await view.interrupt('work', 'Rather three')
  expect(await watch.until('turn', 3)).toMatchObject([
    { outcome: 'cancelled' },
    { outcome: 'cancelled' },
    { outcome: 'ended' },
  ])
  expect(prompts).toEqual(['One', 'Two', 'Rather three'])
})

test('[O43] a stop before the agent is there ends what waits for it', async () => {
  const [starting, goOn] = [signal(), signal()]
  const { driver, prompts } = scriptedDriver(() => NOTHING, {
    async starts() {
      starting.happen()
      await goOn.happened
    },
  })
  const { view, watch } = await startDriven({ driver })
  await view.say('work', { text: 'Hello' })
  await starting.happened
  await view.interrupt('work', 'Rather this')
  expect(await watch.until('turn')).toMatchObject([{ outcome: 'cancelled' }])
  goOn.happen()
  await watch.until('turn', 2)
  expect(prompts).toEqual(['Rather this'])
})

test('[O44] calls of tools are one entry and their result another, and none stays open', async () => {
  const steps: Happening[] = [
    { type: 'tool', step: { id: 'c1', tool_name: 'edit', state: 'pending', input: {} } },
    { type: 'tool', step: { id: 'c1', title: 'Edit a.txt', input: { path: 'a.txt' }, state: 'running' } },
    { type: 'tool', step: { id: 'c2', tool_name: 'shell', input: { command: 'sleep' }, state: 'running' } },
    { type: 'tool', step: { id: 'c1', output: 'one' } },
    {
      type: 'tool',
      step: { id: 'c1', output: 'one\ntwo', state: 'done', changes: [{ path: 'a.txt', new_text: 'two' }] },
    },
    { type: 'tool', step: { id: 'c1', state: 'done', output: 'again' } },
    { type: 'thought', text: 'Hm' },
    { type: 'plan', steps: [{ text: 'Think', state: 'completed' }] },
    { type: 'post', mime: 'application/json', content: { done: true } },
  ]
  const { driver } = scriptedDriver((_, { happens }) => {
    for (const step of steps) happens(step)
    return { outcome: 'failed', problem: 'The model was away' }
  })
  const { view, watch, runner } = await startDriven({ driver })
  await view.say('work', { text: 'Go' })
  await watch.until('turn')
  const told = watch.seen.map(({ body }) => body).filter(({ kind }) => !['message', 'receipt'].includes(kind))
  expect(told.map(({ kind }) => kind)).toEqual([
    'tool_call',
    'tool_call',
    'tool_result',
    'thinking',
    'plan',
    'tool_result',
    'error',
    'turn',
  ])
  const [edit, shell] = watch.bodies('tool_call')
  expect([edit, shell]).toMatchObject([
    { tool_name: 'edit', tool_args: '{"path":"a.txt"}', title: 'Edit a.txt' },
    { tool_name: 'shell' },
  ])
  expect(watch.bodies('tool_result')).toMatchObject([
    { call_id: edit?.call_id, result: 'one\ntwo', success: true, changes: [{ path: 'a.txt' }] },
    { call_id: shell?.call_id, result: 'The model was away', success: false },
  ])
  expect(watch.bodies('error')).toMatchObject([{ error: 'The model was away' }])
  expect(watch.bodies('message').at(-1)).toMatchObject({ author: 'assistant', structured: true })
  expect(runner.problems).toEqual([])
})

test('[O45] texts that grow are told apart by what comes between, and blank ones are none', async () => {
  const { driver } = scriptedDriver((_, { happens }) => {
    happens({ type: 'text', text: 'One', message: 'a' })
    happens({ type: 'text', text: 'Two', message: 'b' })
    happens({ type: 'text', text: '  ', message: 'c' })
    happens({ type: 'thought', text: 'So' })
    happens({ type: 'text', text: 'Three' })
    return NOTHING
  })
  const { view, watch } = await startDriven({ driver })
  await view.say('work', { text: 'Go' })
  await watch.until('turn')
  expect(watch.bodies('message').map(({ text }) => text)).toEqual(['Go', 'One', 'Two', 'Three'])
})

test('[O182] however many calls end quickly, and however many go on, what the agent says is seen while it grows', async () => {
  const [shown, goOn] = [signal(), signal()]
  const { driver } = scriptedDriver(async (_, { happens }) => {
    for (const n of Array.from({ length: 80 }, (_, n) => n)) {
      const step = { id: `call-${n}`, tool_name: 'shell', input: { n }, output: `line ${n}` }
      happens({ type: 'tool', step: { ...step, state: 'running' } })
      if (n < 40) happens({ type: 'tool', step: { id: step.id, state: 'done' } })
    }
    happens({ type: 'text', text: 'Half of it is done' })
    await goOn.happened
    return NOTHING
  })
  const { view, runner } = await startDriven({ driver })
  const { close } = view.follow(
    { conversation: 'work', after: BEFORE_ALL },
    {
      entries: async () => {},
      failed() {},
      grown: ({ partials }) => partials.some(({ text }) => text.startsWith('Half')) && shown.happen(),
    },
  )
  await view.say('work', { text: 'Go' })
  await shown.happened
  close()
  goOn.happen()
  expect(runner.problems).toEqual([])
})

test('[O183] a text of 3 MB at once is told whole, as several messages, and parts no character', async () => {
  const text = `${'🦜'.repeat(700_000)}.`
  const { driver } = scriptedDriver((_, { happens }) => {
    happens({ type: 'text', text })
    return NOTHING
  })
  const { view, watch, runner } = await startDriven({ driver })
  await view.say('work', { text: 'Go' })
  await watch.until('turn')
  const said = watch.bodies('message').slice(1)
  expect(said.length).toBeGreaterThan(1)
  expect(said.map(({ text }) => text).join('') === text).toBe(true)
  expect(runner.problems).toEqual([])
})

test('[O184] a title of an agent never takes the place of one that a person gave', async () => {
  const { driver } = scriptedDriver((_, { happens }) => {
    happens({ type: 'title', title: 'Fix the login' })
    return NOTHING
  })
  const { view, watch } = await startDriven({ driver })
  await view.say('work', { text: 'Go' })
  await watch.until('title')
  expect((await view.conversation('work')).title).toBe('Fix the login')
  await view.rename('work', 'Mine')
  await view.say('work', { text: 'Again' })
  await watch.until('title', 3)
  expect((await view.conversation('work')).title).toBe('Mine')
  expect(watch.bodies('title').map(({ title }) => title)).toEqual(['Fix the login', 'Mine', 'Fix the login'])
})
