import { realpathSync } from 'node:fs'
import { acpDriver } from '../../agents/acp/driver.ts'
import type { Driver } from '../../agents/driver.ts'
import { attempt } from '../../io/attempt.ts'
import { onFirstSignal } from '../../io/first-signal.ts'
import { ignoring } from '../../io/system-error.ts'
import type { LaunchedRunner } from '../../launcher/runner-process.ts'
import { ownProgram } from '../../line/hub-program.ts'
import { makeConsoleSafe } from '../../ops/safe-console.ts'
import { ParleyError } from '../../protocol/errors.ts'
import { commandOf } from '../../protocol/text/command-words.ts'
import { fail, openRun, stayUntilEnded } from './open-run.ts'

const MAX_SESSIONS = 5
const IDLE_MS = 15 * 60_000

makeConsoleSafe()
process.on('uncaughtException', fail)

// A runner that the hub starts. It is told when to end, and goes on with the next hub where this one is killed.
try {
  const wanted = JSON.parse(process.argv[2] ?? '{}') as LaunchedRunner & { list?: true }
  if (wanted.list) await list(wanted)
  else await drive(wanted)
} catch (error) {
  fail(error)
}

/** Says which sessions the agent keeps of the folder, and ends: at the latest with the hub that asked, and its agent with it. */
async function list({ agent, words, folder, data }: LaunchedRunner) {
  process.stdin.on('end', () => process.exit(1)).resume()
  onFirstSignal(() => process.exit(1))
  const { sessions } = acpDriver({ command: commandOf(words), name: agent })
  process.stdout.write(JSON.stringify((await sessions?.(folder, data)) ?? null), () => process.exit())
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

async function drive({ name, agent, words, folder, data, given }: LaunchedRunner) {
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
