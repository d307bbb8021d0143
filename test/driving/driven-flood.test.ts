import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { SOAK } from '../log/contract/place.ts'
import { SCRIPTED, scriptedIn } from '../support/driven/driven-agent.ts'
import { temporaryFolder } from '../support/hub.ts'
import { openPage, told } from '../support/page.ts'
import { freePort, startParley } from '../support/process.ts'

const FULL = SOAK > 1
const UPDATES = FULL ? 1_000_000 : 10_000
const TIMEOUT = FULL ? { timeout: 60 * 60_000 } : {}
const STOP_MS = 1000
const MOST_MB = 50

test(
  '[O191] of a flood every text and call is told, and no plan that was overtaken; a stop overtakes it',
  TIMEOUT,
  async () => {
    const { page, memoryMb } = await startFlooded()
    await page.post('work', 'do flood 2000')
    await page.until(() => told(page, 'turn').length === 1)
    const before = memoryMb('VmRSS')
    await page.post('work', `do flood ${UPDATES}`)
    await page.until(() => told(page, 'turn').length === 2)
    const grown = memoryMb('VmHWM') - before
    const calls = told(page, 'tool_call').length
    expect(calls).toBe(2 + UPDATES / 1000)
    expect(told(page, 'tool_result')).toHaveLength(calls)
    const texts = (updates: number) =>
      Array.from({ length: updates }, (_, n) => n).filter((n) => n % 1000 >= 500 && n % 1000 < 600)
    const said = told(page, 'message').flatMap(({ author, text }) =>
      author === 'assistant' ? text.trim().split(' ') : [],
    )
    expect(said.map(Number)).toEqual([...texts(2000), ...texts(UPDATES)])
    expect(told(page, 'plan').length).toBeLessThan(UPDATES / 4)

    await page.post('work', `do flood ${1_000_000_000}`)
    await page.until(() => told(page, 'tool_call').length > calls + 3)
    const asked = performance.now()
    await page.interrupt('work', 'Stop')
    await page.until(() => told(page, 'turn').length === 3)
    const stopped = performance.now() - asked
    expect(told(page, 'turn').map(({ outcome }) => outcome)).toEqual(['ended', 'ended', 'cancelled'])
    expect(told(page, 'tool_result')).toHaveLength(told(page, 'tool_call').length)
    if (!FULL) return
    console.log(
      `stop: ${Math.round(stopped)} ms; memory: + ${Math.round(grown)} MB; plans: ${told(page, 'plan').length}`,
    )
    expect(stopped).toBeLessThan(STOP_MS)
    expect(grown).toBeLessThan(MOST_MB)
  },
)

/** A page, a hub, and a runner whose memory can be looked at. */
async function startFlooded() {
  const data = await temporaryFolder()
  const port = await freePort()
  const args = ['run', '--acp', SCRIPTED, '--conversation', 'work', '--cwd', data, '--data', data]
  const runner = startParley(args, { ...scriptedIn(data), PORT: `${port}`, PARLEY_MAX_RATE: '1000000' })
  const page = openPage(`http://localhost:${port}`)
  await page.started
  await runner.said(/is there for you/)
  return { page, memoryMb }

  function memoryMb(field: string): number {
    if (process.platform !== 'linux') return 0
    const status = readFileSync(`/proc/${runner.child.pid}/status`, 'utf8')
    return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1024
  }
}
