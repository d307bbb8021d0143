import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { View } from '../../src/chat/view.ts'
import { type Hub, openHub } from '../../src/hub.ts'
import { DEFAULT_LIMITS, type Limits } from '../../src/protocol/limits.ts'
import { localPrincipal } from '../../src/protocol/principal.ts'

/** A folder of this test's own, gone when the test is. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A real hub in this process, on a free port and a real log, and what somebody sees of it who may do everything. */
export async function startHub(data?: string, limits: Partial<Limits> = {}): Promise<Hub & { view: View }> {
  const hub = await openHub({
    host: '127.0.0.1',
    port: 0,
    data: data ?? (await temporaryFolder()),
    limits: { ...DEFAULT_LIMITS, ...limits },
  })
  onTestFinished(hub.close)
  return { ...hub, view: viewOf(hub) }
}

export function viewOf({ chat }: Pick<Hub, 'chat'>): View {
  return chat.as(localPrincipal('admin'))
}
