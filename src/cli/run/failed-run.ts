import { Client, type Transport } from '@modelcontextprotocol/client'
import type { FailedRun } from '../../protocol/frames/driving.ts'
import { VERSION } from '../../protocol/version.ts'
import { runningHub } from '../hub/running-hub.ts'

/** The terminal has to wait for its own sentence so long, at a hub that answered a moment ago and is busy. */
const LIMIT_MS = 10_000

/** Tells people in the page why nothing came of a run, where there is a hub. */
export async function showFailedRun(data: string, connect: () => Transport, runner: FailedRun): Promise<void> {
  const client = new Client({ name: 'parley run', version: VERSION })
  try {
    if (!(await runningHub(data))) return
    const limit = { signal: AbortSignal.timeout(LIMIT_MS) }
    await client.connect(connect(), limit)
    await client.callTool({ name: 'show_failed_run', arguments: { runner } }, limit)
    await client.close()
  } catch {
    // The problem of the run itself matters to the person, whatever keeps the hub from being told.
  }
}
