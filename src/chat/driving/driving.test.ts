import { expect, test } from 'vitest'
import { openTestChat } from '../../../test/support/chat.ts'
import { fakeClock } from '../../../test/support/fake-clock.ts'
import type { Driven, DrivenState, Runner } from '../../protocol/frames/driving.ts'
import { ACTIVITY_MS, createPresence } from './presence.ts'

const RUNNER: Runner = { name: 'tests', folder: '/home/ada/shop', agent: 'scripted', max_sessions: 4 }
const LEASE_S = 30

function openDriven() {
  const clock = fakeClock(1_000_000)
  const { chat, view } = openTestChat({ clock })
  const driver = view.driver()
  return { chat, view, clock, driver, isNow, runners }

  async function isNow(state: DrivenState): Promise<string> {
    await driver.showDriven('work', 'run-1', { runner: 'tests', state })
    return view.agentState('work')
  }

  function runners() {
    return view.driving.runners()?.map(({ name }) => name)
  }
}

test('[O20] a runner is there until its lease is over, however often it is renewed, or until it is withdrawn', () => {
  const { clock, driver, runners } = openDriven()
  expect(driver.offerRunner(RUNNER, 'run-1', LEASE_S)).toBe(clock.now() + LEASE_S * 1000)
  driver.offerRunner({ ...RUNNER, name: 'apples' }, 'run-2', LEASE_S)
  clock.advance(LEASE_S * 1000 - 1)
  driver.offerRunner(RUNNER, 'run-1', LEASE_S)
  expect(runners()).toEqual(['apples', 'tests'])
  clock.advance(1)
  expect(runners()).toEqual(['tests'])
  driver.withdrawRunner('tests', 'run-2')
  expect(runners()).toEqual(['tests'])
  driver.withdrawRunner('tests', 'run-1')
  expect(runners()).toEqual([])
})

test('[O21] a second process with the name of a runner is refused until that one is gone, and changes nothing', () => {
  const { clock, chat, driver, view } = openDriven()
  driver.offerRunner(RUNNER, 'run-1', LEASE_S)
  const other = { ...RUNNER, folder: '/elsewhere' }
  const refusal =
    'A runner "tests" is already there, in /home/ada/shop; choose another name with --name, or end that one first'
  expect(() => driver.offerRunner(other, 'run-2', LEASE_S)).toThrow(refusal)
  // Another principal may call itself the same.
  const stranger = chat.as({ id: 'eve', name: 'eve', role: 'orchestrator' }).driver()
  expect(() => stranger.offerRunner(other, 'run-1', LEASE_S)).toThrow(refusal)
  stranger.withdrawRunner('tests', 'run-1')
  expect(view.driving.runners()).toEqual([RUNNER])
  clock.advance(LEASE_S * 1000)
  stranger.offerRunner(other, 'run-1', LEASE_S)
  expect(view.driving.runners()).toEqual([other])
})

test('[O103] a run that could not begin is shown with its sentence, each name once, until a while is over or it begins', () => {
  const { clock, driver, view, runners } = openDriven()
  const problem = 'The program "robo" cannot be started (it is not there); install it, or give its path'
  driver.showFailedRun({ ...RUNNER, problem: 'Something else' })
  clock.advance(1)
  const until = driver.showFailedRun({ ...RUNNER, problem })
  expect(view.driving.runners()).toEqual([{ ...RUNNER, problem, failed_at: clock.now() }])
  clock.advance(until - clock.now() - 1)
  driver.showFailedRun({ ...RUNNER, name: 'apples', problem })
  expect(runners()).toEqual(['apples', 'tests'])
  clock.advance(1)
  expect(runners()).toEqual(['apples'])
  driver.offerRunner({ ...RUNNER, name: 'apples' }, 'run-1', LEASE_S)
  expect(view.driving.runners()).toEqual([{ ...RUNNER, name: 'apples' }])
})

test('[O103] of those that could not begin the newest 20 are shown, and nobody begins a conversation with one', async () => {
  const { driver, view, runners } = openDriven()
  for (let n = 10; n < 35; n++) driver.showFailedRun({ ...RUNNER, name: `run ${n}`, problem: 'No' })
  expect(runners()).toEqual(Array.from({ length: 20 }, (_, n) => `run ${n + 15}`))
  await expect(view.start({ runner: 'run 20' }, { text: 'Go' }, 'k')).rejects.toThrow('Runner "run 20" is gone')
  expect(() => driver.showFailedRun({ ...RUNNER, problem: 'x'.repeat(200_000) })).toThrow('larger than the limit')
})

test('[O104] a run that fails beside one of its name harms it in no way, and is shown behind it', async () => {
  const { driver, view, clock } = openDriven()
  driver.offerRunner(RUNNER, 'run-1', LEASE_S)
  const failed = { ...RUNNER, folder: '/elsewhere', problem: 'A runner "tests" is already there' }
  driver.showFailedRun(failed)
  const changed = { ...RUNNER, max_sessions: 5 }
  driver.offerRunner(changed, 'run-1', LEASE_S)
  expect(view.driving.runners()).toEqual([changed, { ...failed, failed_at: clock.now() }])
  expect(await view.start({ runner: 'tests' }, { text: 'Go' }, 'k')).toMatchObject({ conversation: expect.anything() })
})

test('[O23] the agent is what its driver says, and never gone while somebody holds its conversation', async () => {
  const { clock, driver, view, isNow } = openDriven()
  expect(view.agentState('work')).toBe('gone')
  await driver.acquire('work', 'run-1', LEASE_S)
  expect(view.agentState('work')).toBe('idle')
  expect(await isNow('working')).toBe('working')
  expect(await isNow('waiting')).toBe('waiting')
  expect(view.agents()).toEqual(['work'])
  // No activity of the agent outweighs what its driver knows.
  await view.tell('work', { by: 'bob', text: 'Done' })
  expect(await isNow('idle')).toBe('idle')
  expect(await isNow('asleep')).toBe('idle')
  await driver.acquire('work', 'run-1', LEASE_S)
  clock.advance(LEASE_S * 1000 - 1)
  expect(view.agentState('work')).toBe('idle')
  clock.advance(1)
  expect(view.agentState('work')).toBe('gone')
  expect(view.driving.driven()).toEqual([])
})

test('[O23] an agent that works is gone as soon as nobody holds its conversation', async () => {
  const { driver, view, isNow, clock } = openDriven()
  await driver.acquire('work', 'run-1', LEASE_S)
  await isNow('working')
  await view.tell('work', { by: 'bob', text: 'Looking' })
  await driver.release('work', 'run-1')
  expect(view.agentState('work')).toBe('gone')
  clock.advance(ACTIVITY_MS)
  expect(view.agents()).toEqual([])
})

test('[O23] an agent whose own call waits for the person is waiting, whatever its driver says', () => {
  const presence = createPresence({ clock: fakeClock(), hasOpenQuestion: () => true, changed() {} })
  presence.drive('work', 'working')
  expect(presence.stateOf('work')).toBe('working')
  const ended = presence.enter('work').calls(true)
  expect(presence.stateOf('work')).toBe('waiting')
  ended()
  expect(presence.stateOf('work')).toBe('working')
})

test('[O23] a conversation whose agent sleeps has none that would listen now', () => {
  const presence = createPresence({ clock: fakeClock(), hasOpenQuestion: () => false, changed() {} })
  presence.drive('work', 'idle')
  expect(presence.withAgents()).toEqual(['work'])
  presence.drive('work', 'asleep')
  expect(presence.withAgents()).toEqual([])
  expect(presence.present()).toEqual(['work'])
})

test('[O28] what is said of an agent or a runner has a limit', async () => {
  const { driver, view } = openDriven()
  await driver.acquire('work', 'run-1', LEASE_S)
  const notice = 'x'.repeat(200_000)
  const driven: Driven = { state: 'idle', notice }
  await expect(driver.showDriven('work', 'run-1', driven)).rejects.toThrow('A text is larger than the limit')
  expect(() => driver.offerRunner({ ...RUNNER, problem: notice }, 'run-1')).toThrow('A text is larger than the limit')
  expect(view.driving.driven()).toEqual([])
  expect(view.driving.runners()).toEqual([])
})
