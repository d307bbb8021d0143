import { onFirstSignal } from '../../io/first-signal.ts'
import type { LaunchedRunner, LookedAt } from '../../launcher/runner-process.ts'
import { makeConsoleSafe } from '../../ops/safe-console.ts'
import { fail } from './fail.ts'
import { stateFile } from './state-file.ts'

makeConsoleSafe()
process.on('uncaughtException', fail)

// A runner that the hub starts. It is told when to end, and goes on with the next hub where this one is killed. What is
// not needed for a question that the hub asks instead is not loaded for it.
try {
  const wanted = JSON.parse(process.argv[2] ?? '{}') as LaunchedRunner & { list?: true; lookAt?: LookedAt }
  if (wanted.lookAt) await look(wanted.lookAt, wanted.data)
  else if (wanted.list) await list(wanted)
  else await (await import('./launched-runner.ts')).drive(wanted)
} catch (error) {
  fail(error)
}

/** Says which sessions the agent keeps of the folder, and ends, and its agent with it. */
async function list({ agent, words, folder, data }: LaunchedRunner) {
  endWithHub()
  const { acpDriver } = await import('../../agents/acp/driver.ts')
  const { commandOf } = await import('../../protocol/text/command-words.ts')
  const { sessions } = acpDriver({ command: commandOf(words), name: agent })
  sayLast(await sessions?.(folder, data))
}

/** Says what changed in the folder since the conversation began there, and ends; no agent is started. */
async function look({ runner, folder, conversation, path }: LookedAt, data: string) {
  endWithHub()
  const { folderChanges } = await import('../../agents/changes/folder-changes.ts')
  const { keptBeside } = await import('../../agents/changes/kept.ts')
  sayLast(await folderChanges(folder, keptBeside(stateFile(data, runner), conversation)).read(path))
}

/** At the latest with the hub that asked. */
function endWithHub() {
  process.stdin.on('end', () => process.exit(1)).resume()
  onFirstSignal(() => process.exit(1))
}

function sayLast(answer: unknown) {
  process.stdout.write(JSON.stringify(answer ?? null), () => process.exit())
}
