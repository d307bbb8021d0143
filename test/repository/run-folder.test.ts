import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test, vi } from 'vitest'
import { lives, processesOf } from '../../scripts/processes.ts'

const RUN = fileURLToPath(new URL('../support/run-of-tests.ts', import.meta.url))

async function startRun(...words: string[]) {
  const child = spawn(process.execPath, [RUN, ...words], { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines = createInterface(child.stdout)
  const said = async () => JSON.parse((await once(lines, 'line'))[0])
  const left: { folder: string; data: string; pid: number } = await said()
  return { child, said, ...left }
}

test('[R13] what a run of tests leaves behind is named at its end, ended and removed', async () => {
  const { child, said, folder, data, pid } = await startRun()
  expect(data.startsWith(folder)).toBe(true)
  child.stdin.write('end')
  expect(await said()).toEqual([{ pid, command: expect.stringContaining(data) }])
  expect([lives(pid), existsSync(folder)]).toEqual([false, false])
})

test.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)(
  '[R13] a run of tests that %s ends leaves no process and no folder behind, not even one that is stopped',
  async (signal) => {
    const { child, folder, pid } = await startRun('stopped')
    child.kill(signal)
    await once(child, 'exit')
    await vi.waitFor(() => expect([processesOf(folder), lives(pid), existsSync(folder)]).toEqual([[], false, false]), {
      timeout: 60_000,
    })
  },
)
