import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { fakeClock } from '../../test/support/fake-clock.ts'
import { processWith } from '../io/descendants.ts'
import { ParleyError } from '../protocol/errors.ts'
import { createLifecycle, type LaunchedRunnerNote } from './lifecycle.ts'
import { pidOf, type RunnerProcess } from './runner-process.ts'

const NOTE: LaunchedRunnerNote = { name: 'Codex in shop', agent: 'codex', folder: '/shop' }

/** A runner with real processes, which do nothing, and a clock that stands still. */
function runner(note = { ...NOTE }) {
  const clock = fakeClock()
  const place = { offered: false, awake: [] as string[], owed: [] as { conversation: string; given: boolean }[] }
  const processes: RunnerProcess[] = []
  const shown: [string, string | undefined][] = []
  const told: string[] = []
  let refusal: ParleyError | undefined
  let held: Promise<void> | undefined
  const lifecycle = createLifecycle({
    note,
    clock,
    owed: { by: () => place.owed },
    awake: () => place.awake,
    isOffered: () => place.offered,
    async start() {
      if (refusal) throw refusal
      await held
      const process = sleeper()
      processes.push(process)
      return process
    },
    started: (process) => {
      note.process = process
    },
    show: (process, problem) => shown.push([process, problem]),
    tell: async (_, problem) => void told.push(problem),
    report(error) {
      throw error
    },
  })
  return { lifecycle, clock, place, processes, shown, told, note, speak, offer, over, refuse, hold }

  /** Somebody speaks, and a process is there if one is started for it. */
  async function speak() {
    place.owed = [{ conversation: 'work', given: false }]
    lifecycle.wanted()
    await settled()
  }

  function offer(isThere = true) {
    place.offered = isThere
    if (isThere) place.owed = []
    lifecycle.look()
  }

  /** The last process ends, by itself or as it was told. */
  async function over(signal?: NodeJS.Signals) {
    const last = processes.at(-1)
    if (signal && last) process.kill(last.pid, signal)
    await last?.ended
    place.offered = false
    await settled()
  }

  function refuse(error?: ParleyError) {
    refusal = error
  }

  /** Nothing starts until it is let go. */
  function hold() {
    const { promise, resolve } = Promise.withResolvers<void>()
    held = promise
    return async () => {
      resolve()
      await settled()
    }
  }
}

function sleeper(): RunnerProcess {
  const child = spawn('sleep', ['1000'])
  onTestFinished(() => void child.kill('SIGKILL'))
  const { pid = 0 } = child
  return { ...pidOf(pid), ended: once(child, 'exit').then(([code]) => ({ code })) }
}

async function settled() {
  for (let n = 0; n < 5; n++) await new Promise(setImmediate)
}

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
  const problem = 'There is no folder /shop that can be read'
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
  await processes[1]?.ended
  await settled()
  clock.advance(3_600_000)
  await settled()
  expect([processes.length, shown.at(-1)?.[0]]).toEqual([2, 'none'])
  await speak()
  expect([processes.length, shown.at(-1)?.[0]]).toEqual([3, 'starting'])
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
