import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { createFinder } from '../../src/line/hub-finder.ts'
import { until } from '../support/chat.ts'
import { temporaryFolder } from '../support/hub.ts'
import { listenAsHub } from '../support/lines/scripted-hub.ts'

const SILENT = { heard: false, welcomed: false }
/** Longer than any pause between two tries. */
const LONG_MS = 2000

let data: string

beforeEach(async () => {
  data = await temporaryFolder()
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
})

/** For a client that wants nothing. */
function finderOf() {
  return createFinder({ hub: { data, given: {} }, wanted: () => new Promise(() => {}), tell: expect.unreachable })
}

test('[C74] of hubs that let nobody in the eighth silent one in a row is the last, and one that speaks is none of them', async () => {
  await listenAsHub(data)
  const { next } = finderOf()
  for (const heard of [false, true, ...Array.from({ length: 7 }, () => false)]) {
    const socket = next({ ...SILENT, heard })
    await vi.advanceTimersByTimeAsync(LONG_MS)
    ;(await socket).destroy()
  }
  await expect(next(SILENT)).rejects.toMatchObject({ code: 'hub_failed' })
})

test('[C74] a hub that was there once is waited for, however many are silent after it', async () => {
  await listenAsHub(data)
  const { next } = finderOf()
  for (const welcomed of [true, ...Array.from({ length: 9 }, () => false)]) {
    const socket = next({ heard: welcomed, welcomed })
    await vi.advanceTimersByTimeAsync(LONG_MS)
    ;(await socket).destroy()
  }
})

test('[C72] after a hub that was stopped none is looked for at once, and none is started', async () => {
  const socket = finderOf().next({ farewell: 'stopped', heard: true, welcomed: true })
  await until(() => vi.getTimerCount() > 0 || existsSync(join(data, 'hub.log')))
  const hub = await listenAsHub(data)
  await vi.advanceTimersByTimeAsync(LONG_MS)
  ;(await socket).destroy()
  await hub.socket()
  expect(existsSync(join(data, 'hub.log'))).toBe(false)
})
