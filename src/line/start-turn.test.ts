import { existsSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '../../test/support/hub.ts'
import { takeTurn } from './start-turn.ts'

async function opened() {
  const data = await temporaryFolder()
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'], now: Date.now() })
  onTestFinished(() => void vi.useRealTimers())
  const path = join(data, 'hub.starting')
  return { data, path, saidAt: () => Math.round(statSync(path).mtimeMs) }
}

test('[C75] while one has its turn no other has, and afterwards one has again', async () => {
  const { data, path } = await opened()
  const listeners = process.listenerCount('exit')
  const end = takeTurn(data)
  expect([typeof end, takeTurn(data)]).toEqual(['function', undefined])
  expect(process.listenerCount('exit')).toBe(listeners + 1)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  end?.()
  expect([existsSync(path), process.listenerCount('exit'), vi.getTimerCount()]).toEqual([false, listeners, 0])
  takeTurn(data)?.()
})

test('[C75] whoever has its turn says so each second, for so long as a hub may take', async () => {
  const { data, saidAt } = await opened()
  const end = takeTurn(data)
  for (let second = 1; second <= 20; second++) {
    vi.advanceTimersByTime(1000)
    expect(saidAt()).toBe(Date.now())
  }
  const last = Date.now()
  vi.advanceTimersByTime(5000)
  expect([saidAt(), vi.getTimerCount()]).toEqual([last, 0])
  end?.()
})

test('[C75] who has not said for more than 3 s that it waits has died, also where clocks differ', async () => {
  const { data, path } = await opened()
  for (const [ms, isTaken] of [
    [-3000, false],
    [3000, false],
    [-3001, true],
    [3001, true],
  ] as const) {
    writeFileSync(path, '')
    const at = new Date(Date.now() + ms)
    utimesSync(path, at, at)
    const end = takeTurn(data)
    expect([ms, end !== undefined]).toEqual([ms, isTaken])
    end?.()
  }
})

test('[C75] where nothing can be written everybody may, and a turn that was taken away is over', async () => {
  const { data } = await opened()
  const end = takeTurn(join(data, 'none'))
  expect([typeof end, end?.()]).toEqual(['function', undefined])
  const gone = await temporaryFolder()
  const over = takeTurn(gone)
  rmSync(join(gone, 'hub.starting'))
  vi.advanceTimersByTime(1000)
  over?.()
  vi.advanceTimersByTime(1000)
  expect(existsSync(join(gone, 'hub.starting'))).toBe(false)
})
