import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { launchedRunner as runner, settled } from '../../test/support/driven/launched-runner.ts'
import { processWith } from '../io/descendants.ts'
import { ParleyError } from '../protocol/errors.ts'

test('[O232] what was stopped ends once its turns had time for it, and begins again when somebody speaks, not before', async () => {
  const { lifecycle, clock, place, processes, speak, offer, over } = runner()
  await speak()
  offer()
  place.awake = ['work']
  place.owed = [{ conversation: 'work', given: false }]
  lifecycle.stop()
  lifecycle.look()
  clock.advance(1000)
  await over()
  clock.advance(60_000)
  await settled()
  expect(processes).toHaveLength(1)
  await speak()
  expect(processes).toHaveLength(2)
  await over('SIGKILL')
})

test('[O232] what fails and waits to be started again, or is just being started, is stopped, too', async () => {
  const { lifecycle, clock, processes, shown, speak, over, hold } = runner()
  await speak()
  await over('SIGKILL')
  lifecycle.stop()
  clock.advance(3_600_000)
  await settled()
  expect([processes.length, shown.at(-1)?.[0]]).toEqual([1, 'none'])
  const letGo = hold()
  await speak()
  lifecycle.stop()
  await letGo()
  clock.advance(3_600_000)
  await settled()
  expect([processes.length, shown.at(-1)?.[0]]).toEqual([1, 'none'])
  await speak()
  expect([processes.length, shown.at(-1)?.[0]]).toEqual([2, 'starting'])
})

test('[O327] what ends already, and would begin again for words that came meanwhile, is stopped, too', async () => {
  const { lifecycle, clock, place, processes, shown, speak, offer, over } = runner()
  await speak()
  offer()
  lifecycle.stop()
  clock.advance(1000)
  place.owed = [{ conversation: 'work', given: false }]
  lifecycle.wanted()
  lifecycle.stop()
  await over()
  clock.advance(60_000)
  await settled()
  expect([processes.length, shown.at(-1)?.[0]]).toEqual([1, 'none'])
  await speak()
  expect(processes).toHaveLength(2)
  await over('SIGKILL')
})

test('[O232] words that come while what is just being started is stopped start it all the same', async () => {
  const { lifecycle, processes, shown, speak, hold } = runner()
  const letGo = hold()
  await speak()
  lifecycle.stop()
  await speak()
  await letGo()
  expect([processes.length, shown.at(-1)?.[0]]).toEqual([1, 'starting'])
})

test('[S223] one that is being prepared while its hub ends is not started', async () => {
  const { lifecycle, processes, speak, hold } = runner()
  const letGo = hold()
  await speak()
  const ended = lifecycle.end()
  await letGo()
  await ended
  expect(processes).toHaveLength(0)
  // What ends with the hub, too, is no failure of it.
  const other = runner()
  const go = other.hold(new ParleyError('adapter_failed', { package: 'one', reason: 'npx failed' }))
  await other.speak()
  await other.lifecycle.end()
  await go()
  expect(other.told).toEqual([])
})

test.for(['its own', 'one of the hub before it'])(
  '[O251] a process that does not end with the hub is killed, and the hub waits for it: %s',
  async (whose) => {
    const before = runner()
    await before.speak()
    const [started] = before.processes
    process.kill(started?.pid ?? 0, 'SIGSTOP')
    // Until then it would hear what comes next.
    await expect
      .poll(() => execFileSync('ps', ['-o', 'state=', '-p', `${started?.pid}`], { encoding: 'utf8' }))
      .toMatch(/^T/)
    const { lifecycle, clock } = whose === 'its own' ? before : runner(before.note)
    if (whose !== 'its own') lifecycle.begin()
    const ended = lifecycle.end()
    await settled()
    clock.advance(5999)
    await settled()
    expect(processWith(started?.pid ?? 0)).toBeDefined()
    clock.advance(1)
    await ended
    expect(processWith(started?.pid ?? 0)).toBeUndefined()
  },
)
