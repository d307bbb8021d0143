import { describe, expect, test } from 'vitest'
import { ask, newLog, openTestChat, until } from '../../../test/support/chat.ts'
import { fakeClock } from '../../../test/support/fake-clock.ts'
import type { Runner } from '../../protocol/frames/driving.ts'
import { localPrincipal } from '../../protocol/principal.ts'
import type { View } from '../view.ts'

const RUNNER: Runner = { name: 'tests', folder: '/home/ada/shop', agent: 'scripted', max_sessions: 4 }
const OTHER: Runner = { ...RUNNER, name: 'apples', folder: '/home/ada/apples' }
const HELLO = { text: 'Hello' }

async function openUndriven(parts: Parameters<typeof openTestChat>[0] = {}) {
  const clock = fakeClock(1_000_000)
  const opened = openTestChat({ clock, ...parts })
  const { chat, view } = opened
  await chat.ready
  return { ...opened, clock, driver: view.driver(), runnerIn: (id: string) => runnerIn(view, id) }
}

async function runnerIn(view: View, conversation: string): Promise<string | undefined> {
  return (await view.conversation(conversation)).wish?.runner
}

async function runSettingsIn(view: View, conversation: string) {
  const { entries } = await view.page(conversation, { limit: 99 })
  return entries.filter(({ body }) => body.kind === 'wish').map(({ body }) => body)
}

describe('where nobody answers, what a person says gives the conversation to a runner', () => {
  test('[O120] a new one is called after its first words, one that was begun before keeps its name', async () => {
    const { view, driver } = await openUndriven()
    await view.say('old', HELLO)
    driver.offerRunner(OTHER, 'run-0')
    driver.offerRunner({ ...RUNNER, default: true }, 'run-1')
    await view.say('new', { text: 'Mend the login' })
    await view.say('old', { text: 'Are you there?' })
    expect(await view.conversation('new')).toMatchObject({ title: 'Mend the login', folder: '/home/ada/shop' })
    expect(await view.conversation('old')).toMatchObject({ title: 'old', folder: '/home/ada/shop' })
    expect(await runSettingsIn(view, 'new')).toEqual([{ kind: 'wish', by: 'person', runner: 'tests' }])
    expect(await runSettingsIn(view, 'old')).toEqual([{ kind: 'wish', by: 'parley', runner: 'tests', waiting: true }])
  })

  test('[O120] of many words at once, one gives it', async () => {
    const { view, driver, runnerIn } = await openUndriven()
    driver.offerRunner(RUNNER, 'run-1')
    await Promise.all(Array.from({ length: 20 }, (_, n) => view.say('work', { text: `${n}` })))
    expect(await runnerIn('work')).toBe('tests')
    expect(await runSettingsIn(view, 'work')).toHaveLength(1)
  })

  test('[O120] the same post again gives it no second time', async () => {
    const { view, driver } = await openUndriven()
    driver.offerRunner(RUNNER, 'run-1')
    await view.say('work', HELLO, 'k')
    driver.withdrawRunner('tests', 'run-1')
    driver.offerRunner(OTHER, 'run-1')
    await view.say('work', HELLO, 'k')
    expect(await runSettingsIn(view, 'work')).toHaveLength(1)
    expect((await view.page('work', { limit: 9 })).entries).toHaveLength(3)
  })
})

describe('what has an agent, or had one, is given to nobody', () => {
  const LISTENS: [string, 'agent' | 'orchestrator', string][] = [
    ['a program that drives every conversation', 'orchestrator', 'ui://chat/inbox'],
    ['a program that drives this one', 'orchestrator', 'ui://chat/inbox/work'],
    ['an agent that listens to its inbox', 'agent', 'ui://chat/inbox/work'],
  ]

  test.each(LISTENS)('[O121] %s', async (_, role, uri) => {
    const { chat, view, driver, runnerIn } = await openUndriven()
    driver.offerRunner(RUNNER, 'run-1')
    const client = chat.drivers.client(localPrincipal(role))
    client.listensTo([uri])
    await view.say('work', HELLO)
    expect([await runnerIn('work'), await view.unanswered('work')]).toEqual([undefined, undefined])
    // It never answered, and is gone.
    client.listensTo([])
    await view.say('work', HELLO)
    expect(await runnerIn('work')).toBe('tests')
  })

  test('[O121] who only looks, or waits to be chosen, is nobody who answers', async () => {
    const { chat, view, driver, runnerIn } = await openUndriven()
    driver.offerRunner(RUNNER, 'run-1')
    chat.drivers.client(localPrincipal('human')).listensTo(['ui://chat/inbox'])
    chat.drivers.client(localPrincipal('orchestrator')).listensTo(['ui://chat/inbox'], true)
    await view.say('work', HELLO)
    expect(await runnerIn('work')).toBe('tests')
  })

  test('[O121] an agent that has a session there', async () => {
    const { view, driver, runnerIn } = await openUndriven()
    driver.offerRunner(RUNNER, 'run-1')
    view.agentSession({ conversation: 'work', title: 'Work' })
    await view.say('work', HELLO)
    expect(await runnerIn('work')).toBeUndefined()
  })

  const TRACES: [string, (view: View) => Promise<unknown>][] = [
    ['asked', (view) => ask(view, { by: 'claude-code', text: 'Deploy?' })],
    ['said something', (view) => view.tell('work', { by: 'claude-code', text: 'Done' })],
    ['did something', (view) => view.record('work', { kind: 'progress', by: 'claude-code', text: 'Testing' })],
    ['came from a folder', (view) => view.record('work', { kind: 'title', title: 'Work', folder: '/home/ada/shop' })],
  ]

  test.each(TRACES)('[O121] an agent that %s there and is away', async (_, leave) => {
    const { view, driver, runnerIn } = await openUndriven()
    await leave(view)
    await view.say('work', { text: 'For you when you are back' })
    driver.offerRunner(RUNNER, 'run-1')
    await view.say('work', { text: 'And this' })
    // This follows it, so that everything that could be given was.
    await view.say('other', HELLO)
    expect([await runnerIn('work'), await runnerIn('other')]).toEqual([undefined, 'tests'])
    expect(await view.unanswered('work')).toBeUndefined()
  })

  test('[O121] another runner was chosen, be it there or not', async () => {
    const { view, driver, runnerIn } = await openUndriven()
    driver.offerRunner(OTHER, 'run-0')
    await view.say('work', HELLO)
    driver.withdrawRunner('apples', 'run-0')
    driver.offerRunner(RUNNER, 'run-1')
    await view.say('work', HELLO)
    expect(await runnerIn('work')).toBe('apples')
  })
})

describe('of several runners without a default one, a person chooses', () => {
  test('[O122] until then nobody has it, and the one that is chosen gets what was said', async () => {
    const { view, driver, runnerIn } = await openUndriven()
    driver.offerRunner(RUNNER, 'run-1')
    driver.offerRunner(OTHER, 'run-2')
    await view.say('work', HELLO)
    expect([await runnerIn('work'), await view.unanswered('work')]).toEqual([undefined, 'which_runner'])
    await view.changeRunSettings('work', { runner: 'apples' })
    expect(await runSettingsIn(view, 'work')).toEqual([{ kind: 'wish', by: 'person', runner: 'apples', waiting: true }])
    expect(await view.unanswered('work')).toBeUndefined()
    // The waiting messages were given: another choice is about later ones.
    await view.changeRunSettings('work', { runner: 'tests' })
    expect((await runSettingsIn(view, 'work')).at(-1)).toEqual({ kind: 'wish', by: 'person', runner: 'tests' })
  })

  test('[O122] that another one ends decides nothing, and the next words do', async () => {
    const { view, driver, runnerIn } = await openUndriven()
    driver.offerRunner(RUNNER, 'run-1')
    driver.offerRunner(OTHER, 'run-2')
    await view.say('work', HELLO)
    driver.withdrawRunner('apples', 'run-2')
    await view.say('aside', HELLO)
    expect(await runnerIn('work')).toBeUndefined()
    await view.say('work', HELLO)
    expect(await runnerIn('work')).toBe('tests')
  })
})

describe('a runner that comes later finds what waits', () => {
  test('[O124] in every conversation that nobody answers, once', async () => {
    const { view, driver, runnerIn } = await openUndriven()
    for (const id of ['one', 'two', 'three']) await view.say(id, HELLO)
    await view.tell('two', { by: 'claude-code', text: 'Hi' })
    driver.offerRunner(RUNNER, 'run-1')
    await until(async () => (await runnerIn('three')) !== undefined)
    expect([await runnerIn('one'), await runnerIn('two')]).toEqual(['tests', undefined])
    driver.withdrawRunner('tests', 'run-1')
    driver.offerRunner(OTHER, 'run-2')
    await view.say('last', HELLO)
    expect(await runnerIn('one')).toBe('tests')
    expect(await runSettingsIn(view, 'one')).toHaveLength(1)
  })

  test('[O124] when it can work again', async () => {
    const { view, driver, runnerIn } = await openUndriven()
    driver.offerRunner({ ...RUNNER, problem: 'Log in first' }, 'run-1')
    await view.say('work', HELLO)
    expect([await runnerIn('work'), await view.unanswered('work')]).toEqual([undefined, 'no_runner'])
    driver.offerRunner(RUNNER, 'run-1')
    await until(async () => (await runnerIn('work')) === 'tests')
  })

  test('[O124] at the very moment, whichever is first', async () => {
    for (let turn = 0; turn < 20; turn++) {
      const { view, driver, runnerIn } = await openUndriven()
      const said = view.say('work', HELLO)
      for (let ticks = 0; ticks < turn; ticks++) await Promise.resolve()
      driver.offerRunner(RUNNER, 'run-1')
      await said
      await until(async () => (await runnerIn('work')) === 'tests')
      expect(await runSettingsIn(view, 'work')).toHaveLength(1)
    }
  })

  test('[O124] while the words are being written', async () => {
    const log = newLog()
    const gate = Promise.withResolvers<void>()
    const slow: typeof log = {
      ...log,
      append: async (...drafts) => {
        await gate.promise
        return log.append(...drafts)
      },
    }
    const { view, driver, runnerIn } = await openUndriven({ log: slow })
    const said = view.say('work', HELLO)
    // It was decided that nobody is there.
    await view.conversation('other')
    driver.offerRunner(RUNNER, 'run-1')
    await view.conversation('other')
    gate.resolve()
    await said
    await until(async () => (await runnerIn('work')) === 'tests')
  })

  test('[O124] also at the next hub', async () => {
    const log = newLog()
    const first = await openUndriven({ log: { ...log, close: async () => {} } })
    await first.view.say('work', HELLO)
    await first.chat.close()
    const { view, driver, runnerIn } = await openUndriven({ log })
    driver.offerRunner(RUNNER, 'run-1')
    await until(async () => (await runnerIn('work')) === 'tests')
    expect(await runSettingsIn(view, 'work')).toHaveLength(1)
  })
})

describe('one runner at a time is the default', () => {
  test('[O125] a second one is refused and changes nothing; the first may say so again', async () => {
    const { view, driver } = await openUndriven()
    const preferred = { ...RUNNER, default: true as const }
    driver.offerRunner(preferred, 'run-1')
    driver.offerRunner(preferred, 'run-1')
    expect(() => driver.offerRunner({ ...OTHER, default: true }, 'run-2')).toThrow(
      '"tests" is already the default runner; end it first, or start this one without --default',
    )
    expect(view.driving.runners()).toEqual([preferred])
  })

  test('[O125] one that cannot work is not chosen', async () => {
    const { view, driver, runnerIn } = await openUndriven()
    driver.offerRunner({ ...RUNNER, default: true, problem: 'Log in first' }, 'run-1')
    driver.offerRunner(OTHER, 'run-2')
    await view.say('work', HELLO)
    expect(await runnerIn('work')).toBe('apples')
  })
})

describe('after a restart of the hub the first runner that is back is not the only one', () => {
  async function restarted() {
    const log = newLog()
    const before = await openUndriven({ log: { ...log, close: async () => {} } })
    before.driver.offerRunner(RUNNER, 'run-1')
    before.driver.offerRunner(OTHER, 'run-2')
    await before.view.say('work', HELLO)
    await before.chat.close()
    return openUndriven({ log })
  }

  test('[O126] while the other one is expected nobody is chosen, and nobody is said to be missing', async () => {
    const { view, driver, runnerIn } = await restarted()
    driver.offerRunner(RUNNER, 'run-1')
    await view.say('work', HELLO)
    expect([await runnerIn('work'), await view.unanswered('work')]).toEqual([undefined, undefined])
    driver.offerRunner(OTHER, 'run-2')
    expect([await runnerIn('work'), await view.unanswered('work')]).toEqual([undefined, 'which_runner'])
  })

  test('[O126] one that does not come back was ended, and a default one waits for nobody', async () => {
    const { view, driver, clock, runnerIn } = await restarted()
    driver.offerRunner(RUNNER, 'run-1', 60)
    clock.advance(10_000)
    await until(async () => (await runnerIn('work')) === 'tests')
    const again = await restarted()
    again.driver.offerRunner({ ...RUNNER, default: true }, 'run-1')
    await until(async () => (await again.runnerIn('work')) === 'tests')
    expect(await view.unanswered('work')).toBeUndefined()
  })
})
