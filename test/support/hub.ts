import { readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { endProcessesOf } from '../../scripts/processes.ts'
import type { View } from '../../src/chat/view.ts'
import { lastHub } from '../../src/doors/socket/last-hub.ts'
import { type Hub, openHub } from '../../src/hub/hub.ts'
import type { HubConfig, HubParts } from '../../src/hub/hub-config.ts'
import { openHubProcess } from '../../src/hub/hub-process.ts'
import { takeStartupLock } from '../../src/hub/startup-lock.ts'
import { ifSystemError } from '../../src/io/system-error.ts'
import { DEFAULT_LIMITS, type Limits } from '../../src/protocol/limits.ts'
import { localPrincipal } from '../../src/protocol/principal.ts'
import { openLogInSharedThread } from './shared-thread.ts'

/** A folder of this test's own, gone when the test is, and with it the hub that an agent started there. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-test-'))
  onTestFinished(async () => {
    // A line whose hub is gone may be starting another one there.
    while (!(await isRemoved(folder)));
  })
  return folder
}

async function isRemoved(folder: string): Promise<boolean> {
  if (hadHubProcess(folder)) await endProcessesOf(folder)
  return rm(folder, { recursive: true, force: true }).then(
    () => true,
    ifSystemError(() => false, 'ENOTEMPTY'),
  )
}

/** A hub in a process of its own. Looking at every process takes longer than many a test. */
function hadHubProcess(folder: string): boolean {
  const paths = readdirSync(folder, { recursive: true }).map((path) => join(folder, String(path)))
  return paths.some(
    (path) =>
      basename(path) === 'hub.log' ||
      (basename(path) === 'last-hub.json' && lastHub(dirname(path))?.pid !== process.pid),
  )
}

/** A real hub in this process, on a free port and a real log, and what somebody sees of it who may do everything. */
export async function startHub(
  data?: string,
  limits: Partial<Limits> = {},
  more: Pick<HubConfig, 'origins'> = {},
): Promise<Hub & { view: View }> {
  const hub = await openTestHub({
    ...more,
    host: '127.0.0.1',
    port: 0,
    data: data ?? (await temporaryFolder()),
    limits: { ...DEFAULT_LIMITS, ...limits },
  })
  onTestFinished(hub.close)
  return { ...hub, view: viewOf(hub) }
}

/** A hub as it is put together for `parley serve`, but for the thread of its log. */
export function openTestHub(config: HubConfig, parts: HubParts = {}): Promise<Hub> {
  return openHub(config, { openLog: openLogInSharedThread, ...parts })
}

/** The same, where the commands of its owner and the lines of agents find it. */
export async function startHubWithSocket(data: string) {
  const startupLock = await takeStartupLock({ data, host: '127.0.0.1', ports: [0] })
  const hub = await openHubProcess({ startupLock, data, given: { log: 'error' } })
  const close = () => hub.end('ending')
  onTestFinished(close)
  return { ...hub, view: viewOf(hub), close }
}

/** A data folder with a hub, for lines that may find it in any process: to start one takes most of such a test. */
export async function folderWithHub(): Promise<string> {
  const data = await temporaryFolder()
  await startHubWithSocket(data)
  return data
}

export function viewOf({ chat }: Pick<Hub, 'chat'>): View {
  return chat.as(localPrincipal('admin'))
}
