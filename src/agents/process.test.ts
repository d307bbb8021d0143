import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { aFolder, drivenAgent, PARLEY, SCRIPTED } from '../../test/support/driven/driven-agent.ts'
import { processWith, signal } from '../io/descendants.ts'
import { endOrphans } from '../io/family.ts'

const ORCHESTRATOR = fileURLToPath(new URL('../../test/support/driven/orchestrator-process.ts', import.meta.url))

test('[O78] what an agent started ends with it, also in a session of its own and without a parent', async () => {
  const { session, prompt, says } = await drivenAgent()
  await prompt('do spawn')
  const pids = JSON.parse(says()) as number[]
  expect(pids.map(isThere)).toEqual([true, true])
  await session.stop()
  expect(pids.map(isThere)).toEqual([false, false])
})

test('[O78] the same when the agent is gone by itself', async () => {
  const { session, prompt, says } = await drivenAgent()
  await prompt('do spawn')
  const pids = JSON.parse(says()) as number[]
  await prompt('do die')
  await session.lost
  expect(pids.map(isThere)).toEqual([false, false])
})

test('[O78] a command that an agent lets run on when it is stopped is ended, and the agent stays', async () => {
  const { session, prompt, says, until } = await drivenAgent({ nature: { name: 'codex-acp' } })
  const turn = prompt('do spawn\ndo silent')
  await until(says)
  const pids = JSON.parse(says()) as number[]
  await session.interrupt()
  expect(await turn).toEqual({ outcome: 'cancelled' })
  await areOver(pids)
  expect(await prompt('still there?')).toEqual({ outcome: 'ended' })
})

test('[O78] an agent that ends neither at the end of its input nor when told to is killed', async () => {
  const folder = aFolder()
  const program = join(folder, 'stubborn.mjs')
  const agent = fileURLToPath(new URL('../../test/support/driven/acp-agent.ts', import.meta.url))
  const script = `process.on('SIGTERM', () => {}); process.exit = () => {}; setInterval(() => {}, 1000); await import('${agent}')`
  writeFileSync(program, script)
  const { session, prompt, says } = await drivenAgent({
    ...{ folder, command: `"${process.execPath}" ${program}` },
    patience: { endMs: 200 },
  })
  await prompt('do pid')
  const pid = Number(says())
  expect(isThere(pid)).toBe(true)
  await session.stop()
  expect(isThere(pid)).toBe(false)
})

test('[O78] a session that is stopped was not lost, and a stop in the middle of a turn cancels it', async () => {
  const { session, prompt, says, until } = await drivenAgent()
  const turn = prompt('do slow')
  await until(says)
  await session.stop()
  expect(await turn).toEqual({ outcome: 'cancelled' })
  expect(await Promise.race([session.lost, 'nothing'])).toBe('nothing')
})

test('[O78] Parley itself, which an agent may start, outlives it', async () => {
  const folder = aFolder()
  const line = join(folder, 'line.mjs')
  writeFileSync(
    line,
    `import { spawn } from 'node:child_process'
console.log(spawn('sleep', ['600'], { detached: true, stdio: 'ignore' }).pid); setInterval(() => {}, 1000)`,
  )
  const stdio = { command: process.execPath, args: [line], env: {} }
  const { session, prompt, says } = await drivenAgent({ folder, parley: { ...PARLEY, stdio } })
  await prompt('do serve')
  const [lineOf, hub] = JSON.parse(says()) as [number, number]
  onTestFinished(() => {
    for (const pid of [lineOf, hub]) signal(pid, 'SIGKILL')
  })
  await session.stop()
  expect([lineOf, hub].map(isThere)).toEqual([true, true])
})

test('[O78] an orchestrator that is told to end takes its agents along', async () => {
  const { child, pids } = await orchestrator()
  child.kill('SIGTERM')
  await once(child, 'close')
  await areOver(pids)
})

test.runIf(process.platform === 'linux')('[O78] what a killed one left behind is ended by the next', async () => {
  const { child, pids } = await orchestrator()
  expect(pids.every(isThere)).toBe(true)
  child.kill('SIGKILL')
  await once(child, 'close')
  // Another process that begins just now may have ended them; by themselves they stay.
  endOrphans({ data: undefined })
  await areOver(pids)
})

/** One whose agent has started something. */
async function orchestrator() {
  const folder = aFolder()
  const child = spawn(process.execPath, [ORCHESTRATOR, SCRIPTED, folder, 'do spawn'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ACP_AGENT_FOLDER: folder },
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  return { child, pids: JSON.parse(line) as number[] }
}

/** A signal is not at once. */
async function areOver(pids: number[]) {
  while (pids.some(isThere)) await pause(10)
}

function isThere(pid: number): boolean {
  return processWith(pid) !== undefined
}
