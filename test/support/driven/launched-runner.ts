import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'
import { createLifecycle, type LaunchedRunnerNote } from '../../../src/launcher/lifecycle.ts'
import { pidOf, type RunnerProcess } from '../../../src/launcher/runner-process.ts'
import type { ParleyError } from '../../../src/protocol/errors.ts'
import { fakeClock } from '../fake-clock.ts'

export const NOTE: LaunchedRunnerNote = { name: 'Codex in shop', agent: 'codex', folder: '/shop' }

/** A runner with real processes, which do nothing, and a clock that stands still. */
export function launchedRunner(note = { ...NOTE }) {
  const clock = fakeClock()
  const place = { offered: false, awake: [] as string[], owed: [] as { conversation: string; given: boolean }[] }
  const processes: RunnerProcess[] = []
  const shown: [string, string | undefined][] = []
  const told: string[] = []
  let refusal: ParleyError | undefined
  let held: Promise<ParleyError | undefined> | undefined
  const lifecycle = createLifecycle({
    note,
    clock,
    owed: { by: () => place.owed },
    awake: () => place.awake,
    isOffered: () => place.offered,
    async prepare() {
      if (refusal) throw refusal
      const failure = await held
      if (failure) throw failure
      return () => {
        const process = sleeper()
        processes.push(process)
        return process
      }
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

  /** Nothing starts until it is let go, or fails then. */
  function hold(failure?: ParleyError) {
    const { promise, resolve } = Promise.withResolvers<ParleyError | undefined>()
    held = promise
    return async () => {
      resolve(failure)
      await settled()
    }
  }
}

export function sleeper(): RunnerProcess {
  const child = spawn('sleep', ['1000'])
  onTestFinished(() => void child.kill('SIGKILL'))
  const { pid = 0 } = child
  return { ...pidOf(pid), ended: once(child, 'exit').then(([code]) => ({ code })) }
}

export async function settled() {
  for (let n = 0; n < 5; n++) await new Promise(setImmediate)
}
