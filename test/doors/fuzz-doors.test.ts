import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test, vi } from 'vitest'
import { SOAK } from '../log/contract/place.ts'
import { httpDoor } from '../support/doors/http-door.ts'
import { judgeLog } from '../support/doors/log-judge.ts'
import { MOUNTS, mcpDoor } from '../support/doors/mcp-door.ts'
import { openApproval } from '../support/doors/open-approval.ts'
import { dialectDoor, lineDoor } from '../support/doors/socket-doors.ts'
import { createWorld, GIVEN_TOKENS, type World } from '../support/doors/world.ts'
import { eventually } from '../support/eventually.ts'
import { type Figures, startWatchedHub } from '../support/faults/watched-hub.ts'
import { FUZZED } from '../support/fuzz/fuzzed-dialects.ts'
import { temporaryFolder } from '../support/hub.ts'
import { seeded } from '../support/seeded.ts'

const FRAMES = Number(process.env.PARLEY_FRAMES ?? (SOAK > 1 ? 300_000 : 400))
const FIRST = Number(process.env.PARLEY_SEED ?? (SOAK > 1 ? Date.now() % 1_000_000 : 0))
/** By those who must not, of one call that waits to be allowed. */
const SIEGE = SOAK > 1 ? 20_000 : 300
/** A hub is looked at after so many. */
const ROUND = 5000
const MOST_HEAP_BYTES = 200 * 1024 * 1024
const MOST_RSS_BYTES = 900 * 1024 * 1024
const LONGEST_TASK_MS = 100
// Only what hangs is stopped by it.
vi.setConfig({ testTimeout: SOAK > 1 ? 90 * 60_000 : 180_000 })

const ASKS = JSON.stringify({ rules: [{ decision: 'ask' }] })
const SERVER = fileURLToPath(new URL('../support/upstream/tools-server.ts', import.meta.url))

interface Door {
  name: string
  step(): Promise<unknown>
  close?(): void
}

test('[S82] whatever comes in at any door, the hub answers, stays small and never allows what no person allowed', async () => {
  const data = await temporaryFolder()
  const tools = { command: process.execPath, args: [SERVER] }
  writeFileSync(join(data, 'mcp.json'), JSON.stringify({ mcpServers: { tools } }), { mode: 0o600 })
  writeFileSync(join(data, 'policy.jsonc'), ASKS, { mode: 0o600 })
  const hub = await startWatchedHub(data, GIVEN_TOKENS)
  const world = createWorld(seeded(FIRST), { url: hub.url, data })
  const doors = doorsOf(world)
  await hub.figures()
  const over = hub.ended.then((why) => Promise.reject(new Error(`${why} PARLEY_SEED=${FIRST}`)))
  over.catch(() => {})
  let longestTaskMs = 0
  while (world.frames() < FRAMES) {
    const until = Math.min(FRAMES, world.frames() + ROUND)
    await Promise.race([Promise.all(doors.map((door) => knock(door, world, until))), over])
    const figures = await hub.figures()
    report(world, figures)
    expect(figures.heapBytes).toBeLessThan(MOST_HEAP_BYTES)
    expect(figures.rssBytes).toBeLessThan(MOST_RSS_BYTES)
    longestTaskMs = Math.max(longestTaskMs, figures.longestTaskMs)
    expect(world.problems, `PARLEY_SEED=${FIRST}`).toEqual([])
    expect((await fetch(`${hub.url}/readyz`)).status).toBe(200)
  }
  for (const door of doors) door.close?.()
  // By now people may have allowed everything for good.
  writeFileSync(join(data, 'policy.jsonc'), ASKS, { mode: 0o600 })
  await eventually(async () => expect(await rulesOf(world)).toHaveLength(1))
  const { question, allow } = await openApproval(world)
  const besieged = createWorld(seeded(FIRST), { url: hub.url, data }, question)
  const siege = doorsOf(besieged)
  await Promise.race([Promise.all(siege.map((door) => knock(door, besieged, SIEGE))), over])
  for (const door of siege) door.close?.()
  // It is still there for whom it was asked.
  expect(await allow()).toBe('accepted')
  expect(await hub.end()).toBe('The hub has ended with 0: ')
  const judged = await judgeLog(data, world)
  expect(judged.approved).toBeGreaterThan(0)
  if (SOAK <= 1) return
  console.log(judged)
  // A duration, and so nothing to fail over where other things run beside it.
  expect(longestTaskMs).toBeLessThan(LONGEST_TASK_MS)
})

function doorsOf(world: World): Door[] {
  const mcp = Object.keys(MOUNTS).flatMap((path) =>
    (['legacy', 'modern'] as const).map((era) => ({ path, ...mcpDoor(world, path, era) })),
  )
  const agentTools = () => mcp.find(({ path }) => path === '/mcp/agent')?.tools() ?? []
  const servers = mcp
    .filter(({ path }) => path.startsWith('/mcp/') && path !== '/mcp/agent')
    .map(({ path, tools }) => ({ server: path.slice('/mcp/'.length), tools }))
  const dialects = Object.keys(FUZZED).map((dialect) => dialectDoor(world, dialect))
  return [...mcp, ...dialects, httpDoor(world, servers), httpDoor(world, servers), lineDoor(world, agentTools)]
}

/** As they count now. */
async function rulesOf(world: World): Promise<unknown[]> {
  const body = JSON.stringify({ server: 'gateway', tool: 'policy_show' })
  const shown = await fetch(`${world.url}/api/mcp/call`, { method: 'POST', headers: world.headersOf('root'), body })
  return ((await shown.json()) as { rules: unknown[] }).rules
}

async function knock(door: Door, world: World, until: number) {
  while (world.frames() < until) {
    await door.step().catch((error: Error) => {
      error.message = `${door.name}, PARLEY_SEED=${FIRST}: ${error.message}`
      throw error
    })
  }
}

function report(world: World, { heapBytes, rssBytes, longestTaskMs, isCollecting }: Figures) {
  if (SOAK <= 1) return
  const megabytes = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MiB`
  const memory = `heap ${megabytes(heapBytes)}, all ${megabytes(rssBytes)}`
  console.log(
    `${world.frames()} frames: ${memory}, longest task ${longestTaskMs.toFixed(0)} ms${isCollecting ? ', which collects memory' : ''}`,
  )
}
