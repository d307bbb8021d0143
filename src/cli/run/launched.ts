import { acpDriver } from '../../agents/acp/driver.ts'
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
  const { name, agent, words, folder, data, given } = JSON.parse(process.argv[2] ?? '{}') as LaunchedRunner
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
} catch (error) {
  fail(error)
}
