import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type Hub, openHub } from '../../src/hub.ts'
import { DEFAULT_LIMITS, type Limits } from '../../src/protocol/limits.ts'

/** A folder of this test's own, gone when the test is. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A real hub in this process, on a free port and a real log. */
export async function startHub(data?: string, limits: Partial<Limits> = {}): Promise<Hub> {
  const hub = await openHub({
    host: '127.0.0.1',
    port: 0,
    data: data ?? (await temporaryFolder()),
    limits: { ...DEFAULT_LIMITS, ...limits },
  })
  onTestFinished(hub.close)
  return hub
}
