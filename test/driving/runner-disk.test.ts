import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openStore } from '../../src/agents/store.ts'
import { newTurn } from '../../src/agents/turns/ui-state.ts'
import { startDriven, watching } from '../support/driven/driven.ts'
import { scriptedDriver } from '../support/driven/scripted-driver.ts'
import { eventually } from '../support/eventually.ts'
import { canMount, smallDisk } from '../support/faults/small-disk.ts'
import { startHubWithSocket } from '../support/hub.ts'
import { openPage, told } from '../support/page.ts'
import { startParley } from '../support/process.ts'

const FULL =
  'The runner cannot write to its disk (database or disk is full), and gives nothing new to its agents; make room, and it goes on by itself'

test.skipIf(!canMount)(
  '[O160] what a runner cannot mark as given waits for room, which people see, and is given once then',
  async () => {
    const disk = await smallDisk(1)
    const agent = scriptedDriver((_, { happens }) => {
      happens({ type: 'text', text: 'Done' })
      return undefined
    })
    const state = join(disk.data, 'runner.db')
    const { view, runner } = await startDriven({ driver: agent.driver, name: 'robot', state })
    const { conversation } = await view.start({ runner: 'robot' }, { text: 'One' }, 'k')
    const watch = watching(view, conversation)
    await watch.until('turn')
    disk.fill()
    await view.say(conversation, { text: 'Two' })
    const shown = () => [
      view.driving?.runners()?.find(({ name }) => name === 'robot')?.problem,
      new Map(view.driving?.driven()).get(conversation)?.notice,
    ]
    await eventually(() => expect(shown()).toEqual([FULL, FULL]))
    expect(agent.prompts).toEqual(['One'])
    disk.empty()
    await watch.until('turn', 2)
    expect(agent.prompts).toEqual(['One', 'Two'])
    await eventually(() => expect(shown()).toEqual([undefined, undefined]))
    expect(runner.problems.map(String)).toEqual([`ParleyError: ${FULL}`])
    expect(watch.bodies('error')).toEqual([])
  },
)

test.skipIf(!canMount)(
  '[O161] a disk that fills in the middle of a turn takes nothing of it away: it is told, ends, and the next one begins',
  async () => {
    const disk = await smallDisk(1)
    const agent = scriptedDriver(({ text }, { happens }) => {
      if (text === 'One') disk.fill()
      happens({ type: 'text', text: `About ${text}` })
      return undefined
    })
    const { view, watch } = await startDriven({ driver: agent.driver, state: join(disk.data, 'runner.db') })
    await view.say('work', { text: 'One' })
    const answers = () => watch.bodies('message').flatMap(({ author, text }) => (author === 'assistant' ? text : []))
    // What is told does not wait for the runner's own disk.
    await watch.until('turn')
    expect(answers()).toEqual(['About One'])
    await view.say('work', { text: 'Two' })
    disk.empty()
    expect(await watch.until('turn', 2)).toMatchObject([{ outcome: 'ended' }, { outcome: 'ended' }])
    expect([answers(), agent.prompts]).toEqual([
      ['About One', 'About Two'],
      ['One', 'Two'],
    ])
  },
)

test.skipIf(!canMount)(
  '[O162] whenever the disk of hub and runner fills, each message gets its one answer once there is room',
  async () => {
    const disk = await smallDisk(10)
    const hub = await startHubWithSocket(disk.data)
    const page = openPage(hub.url)
    await page.started
    const command = ['--command', 'cat', '--conversation', 'work']
    const { child, said } = startParley(['run', ...command, '--data', disk.data])
    await said(/is there for you/)
    const moments = ['message', 'receipt', 'turn'] as const
    for (const [n, kind] of moments.entries()) {
      const before = told(page, kind).length
      await page.post('work', `<${n}>`)
      await page.until(() => told(page, kind).length > before)
      disk.fill()
      expect(await page.post('work', 'Lost')).toMatchObject({ type: 'refused', code: 'disk_full' })
      disk.empty()
      await page.until(() => told(page, 'turn').length === n + 1)
    }
    const answers = told(page, 'message').flatMap(({ author, text }) => (author === 'assistant' ? text : []))
    expect(answers).toEqual(['<0>', '<1>', '<2>'])
    expect(told(page, 'turn').map(({ outcome }) => outcome)).toEqual(['ended', 'ended', 'ended'])
    expect(child.exitCode).toBeNull()
  },
)

test.skipIf(!canMount)(
  '[O163] what the file of a runner does not take is a full disk in so many words, read from memory and written later',
  async () => {
    const disk = await smallDisk(1)
    const path = join(disk.data, 'runner.db')
    const changes: (string | undefined)[] = []
    const store = openStore(path, () => changes.push(store.problem()?.message))
    store.take('uri', [{ id: '1', conversation: 'work', text: 'One' }], '1')
    disk.fill()
    expect(() => store.give('work', ['1'], newTurn('t', ['1']))).toThrow(FULL)
    store.saveUi('work', newTurn('t', []))
    store.saveSession('work', 'session')
    store.answered('work', '1')
    const known = () => [store.uiState('work')?.turn, store.agentSession('work'), store.toGive('work')]
    expect([known(), changes]).toEqual([['t', 'session', []], [FULL]])
    disk.empty()
    await eventually(() => expect(changes).toEqual([FULL, undefined]))
    expect(known()).toEqual(['t', 'session', []])
    store.close()
    const next = openStore(path)
    expect([next.uiState('work')?.turn, next.agentSession('work'), next.toGive('work')]).toEqual(['t', 'session', []])
    next.close()
  },
)
