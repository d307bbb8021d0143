import { readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { endProcessesOf } from '../../scripts/processes.ts'
import type { View } from '../../src/chat/view.ts'
import { type Hub, openHub } from '../../src/hub/hub.ts'
import { openHubProcess } from '../../src/hub/hub-process.ts'
import { takeStartupLock } from '../../src/hub/startup-lock.ts'
import { DEFAULT_LIMITS, type Limits } from '../../src/protocol/limits.ts'
import { localPrincipal } from '../../src/protocol/principal.ts'

/** What a hub leaves that was started in the background. */
const TRACES = ['hub.log', 'last-hub.json']

/** A folder of this test's own, gone when the test is, and with it the hub that an agent started there. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-test-'))
  onTestFinished(async () => {
    if (hadHub(folder)) await endProcessesOf(folder)
    await rm(folder, { recursive: true, force: true })
  })
  return folder
}

/** Looking at every process takes longer than many a test. */
function hadHub(folder: string): boolean {
  return readdirSync(folder, { recursive: true }).some((path) => TRACES.includes(basename(String(path))))
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

/** The same, where the commands of its owner and the lines of agents find it. */
export async function startHubWithSocket(data: string): Promise<Hub & { view: View }> {
  const startupLock = await takeStartupLock({ data, host: '127.0.0.1', ports: [0] })
  const hub = await openHubProcess({ startupLock, data, given: { log: 'error' } })
  const close = () => hub.end('ending')
  onTestFinished(close)
  return { ...hub, view: viewOf(hub), close }
}

export function viewOf({ chat }: Pick<Hub, 'chat'>): View {
  return chat.as(localPrincipal('admin'))
}
