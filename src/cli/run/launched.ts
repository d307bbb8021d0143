import { acpDriver } from '../../agents/acp/driver.ts'
import { onFirstSignal } from '../../io/first-signal.ts'
import type { LaunchedRunner } from '../../launcher/runner-process.ts'
import { ownProgram } from '../../line/hub-program.ts'
import { makeConsoleSafe } from '../../ops/safe-console.ts'
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

async function drive({ name, agent, words, folder, data, given }: LaunchedRunner) {
  const orchestrator = await openRun({
    driver: acpDriver({ command: commandOf(words), name: agent }),
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
