import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { NOTE, launchedRunner as runner, settled, sleeper } from '../../test/support/driven/launched-runner.ts'
import { processWith } from '../io/descendants.ts'
import { ParleyError } from '../protocol/errors.ts'
import { pidOf } from './runner-process.ts'

test('[O177] words start one process, and one that has nothing to do is ended; words meanwhile start the next', async () => {
  const { clock, place, processes, shown, speak, offer } = runner()
  expect(shown).toEqual([['none', undefined]])
  await speak()
  await speak()
  expect([processes.length, shown.at(-1)]).toEqual([1, ['starting', undefined]])
  place.awake = ['work']
  offer()
  clock.advance(3_600_000)
  expect(shown.at(-1)).toEqual(['running', undefined])
  place.awake = []
  offer()
  clock.advance(9000)
  place.awake = ['work']
  offer()
  clock.advance(60_000)
  place.awake = []
  offer()
  clock.advance(10_000)
  expect(shown.at(-1)).toEqual(['none', undefined])
  await speak()
  await processes[0]?.ended
  await settled()
  expect(processes).toHaveLength(2)
})

test('[O177] a hub that starts begins what is owed, and takes over a process that outlived the hub before it', async () => {
  const { note, place, processes } = await (async () => {
    const before = runner()
    await before.speak()
    before.offer()
    return before
  })()
  const next = runner(note)
  next.lifecycle.begin()
  next.place.offered = true
  next.lifecycle.look()
  await next.speak()
  expect([next.processes.length, next.shown.at(-1)]).toEqual([0, ['running', undefined]])
  next.place.owed = []
  next.lifecycle.look()
  next.clock.advance(10_000)
  expect(await processes[0]?.ended).toEqual({ code: null })
  place.offered = false
  const later = runner(note)
  later.place.owed = [{ conversation: 'work', given: true }]
  later.lifecycle.begin()
  await settled()
  expect(later.processes).toHaveLength(1)
})

test.runIf(process.platform === 'linux')(
  '[O177] what has its number and its moment since the machine began anew is another process, and is left alone',
  async () => {
    const { pid } = sleeper()
    const { began = '' } = processWith(pid) ?? {}
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    expect(pidOf(pid).began).toBe(`${boot} ${began}`)
    for (const other of [began, `${randomUUID()} ${began}`, ` ${began}`]) {
      const next = runner({ ...NOTE, process: { pid, began: other } })
      next.place.owed = [{ conversation: 'work', given: true }]
      next.lifecycle.begin()
      await settled()
      expect(next.processes).toHaveLength(1)
    }
    expect(processWith(pid)).toBeDefined()
  },
)

test('[O178] one that fails at work is started again after growing pauses, five times, and then when somebody speaks', async () => {
  const { clock, place, processes, shown, told, speak, over } = runner()
  await speak()
  for (let n = 1; n <= 4; n++) {
    await over('SIGKILL')
    expect([processes.length, shown.at(-1)]).toEqual([n, ['none', 'It was ended']])
    clock.advance(2 ** (n - 2) * 1000 - 1)
    await settled()
    expect(processes).toHaveLength(n)
    clock.advance(60_000)
    await settled()
    expect(processes).toHaveLength(n + 1)
  }
  await over('SIGKILL')
  clock.advance(3_600_000)
  await settled()
  expect(processes).toHaveLength(5)
  expect(told).toEqual(['It was ended; say something to try again'])
  place.awake = []
  await speak()
  expect(processes).toHaveLength(6)
})

test('[O178] one that was killed is still offered for a while, and is started again meanwhile', async () => {
  const { lifecycle, processes, place, shown, speak, offer } = runner()
  await speak()
  offer()
  process.kill(processes[0]?.pid ?? 0, 'SIGKILL')
  await processes[0]?.ended
  await settled()
  lifecycle.look()
  expect([place.offered, shown.at(-1)]).toEqual([true, ['none', undefined]])
  await speak()
  expect(processes).toHaveLength(2)
})

test('[O178] one that ends while all is asleep is not started again', async () => {
  const { clock, processes, shown, speak, offer, over } = runner()
  await speak()
  offer()
  await over('SIGKILL')
  clock.advance(3_600_000)
  await settled()
  expect([processes.length, shown.at(-1)]).toEqual([1, ['none', undefined]])
})

test('[O178] what cannot be started is told once in the conversation, with what to do, until it can', async () => {
  const { told, shown, processes, speak, offer, refuse } = runner()
  refuse(new ParleyError('folder_gone', { folder: '/shop' }))
  await speak()
  await speak()
  const problem = '/shop is gone or cannot be read'
  expect([told, shown.at(-1)]).toEqual([[problem], ['none', problem]])
  refuse()
  await speak()
  offer()
  expect([processes.length, shown.at(-1)]).toEqual([1, ['running', undefined]])
})

test('[O178] one that never offers itself is ended, and counts as failed', async () => {
  const { clock, shown, speak, over } = runner()
  await speak()
  clock.advance(60_000)
  await over()
  expect(shown.at(-1)).toEqual(['none', 'It was ended'])
})
