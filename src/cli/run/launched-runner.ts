import { realpathSync } from 'node:fs'
import { acpDriver } from '../../agents/acp/driver.ts'
import type { Driver } from '../../agents/driver.ts'
import { attempt } from '../../io/attempt.ts'
import { ownProgram } from '../../io/programs/own-program.ts'
import { ignoring } from '../../io/system-error.ts'
import type { LaunchedRunner } from '../../launcher/runner-process.ts'
import { ParleyError } from '../../protocol/errors.ts'
import { commandOf } from '../../protocol/text/command-words.ts'
import { openRun, stayUntilEnded } from './open-run.ts'

const MAX_SESSIONS = 5
const IDLE_MS = 15 * 60_000

/** Drives the agent as the hub wants it, until it is told to end. */
export async function drive({ name, agent, words, folder, data, given }: LaunchedRunner) {
  const orchestrator = await openRun({
    driver: onlyIn(folder, acpDriver({ command: commandOf(words), name: agent })),
    folder,
    name,
    maxSessions: MAX_SESSIONS,
    idleMs: IDLE_MS,
    delivery: 'next',
    config: { data, given },
    gateway: true,
    program: ownProgram(),
  })
  stayUntilEnded([orchestrator])
}

/** A link may have taken the place of the folder that was allowed. */
function onlyIn(folder: string, driver: Driver): Driver {
  return {
    ...driver,
    async start(wanted) {
      const real = attempt(() => realpathSync(folder), ignoring())
      if (real !== folder) throw new ParleyError('folder_gone', { folder })
      return driver.start(wanted)
    },
  }
}
