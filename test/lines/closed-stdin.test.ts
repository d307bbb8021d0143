import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { stayingIn } from '../../scripts/processes.ts'
import { SOAK } from '../log/contract/place.ts'
import { agentOverStdio } from '../support/agent.ts'
import { temporaryFolder } from '../support/hub.ts'
import { startParley } from '../support/process.ts'
import { type Dice, seeded } from '../support/seeded.ts'
import { connectPage } from '../support/socket.ts'

const LINES = SOAK > 1 ? 100 : 3
/** A line has started its hub and been answered by then, or it has not. */
const LATEST_MS = 500
/** A hub that nobody needs has ended by then; one that is still there was forgotten. */
const PATIENCE_MS = 60_000
const INITIALIZE = {
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
}
const lines = Array.from({ length: LINES }, (_, seed) => seed)

test('[C49] a client that closes stdin at any moment of a first line leaves no process', {
  timeout: LINES * 20_000,
}, async () => {
  for (const seed of lines) {
    const data = await temporaryFolder()
    expect(await closedStdin(data, seeded(seed))).toEqual({ code: 0, stderr: expect.stringMatching(/^(http:.*\n)?$/) })
    expect(await stayingIn(data, PATIENCE_MS)).toEqual([])
  }
})

test('[C49] a client that closes stdin at any moment leaves its hub to others, and no conversation', {
  timeout: LINES * 20_000,
}, async () => {
  const data = await temporaryFolder()
  const other = await agentOverStdio({ env: { PARLEY_DATA: data, PARLEY_SESSION: 'other' } })
  const url = (await other.url) ?? ''
  for (const seed of lines) expect((await closedStdin(data, seeded(seed))).code).toBe(0)
  const { agents, conversations } = (await connectPage(url)).welcome
  expect([agents, conversations]).toEqual([{ other: { state: 'idle', seen: expect.any(Number) } }, []])
})

/** A line whose client says hello or not even that, and goes. */
async function closedStdin(data: string, dice: Dice) {
  const line = startParley(['stdio'], { PARLEY_DATA: data })
  const answered = dice.chance(0.8) ? line.line(INITIALIZE) : Promise.resolve()
  if (dice.chance(0.2)) await answered
  else await pause(dice.below(LATEST_MS))
  line.child.stdin?.end()
  const { code, stderr } = await line.ended
  return { code, stderr }
}
