import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import type { Socket } from 'node:net'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Found } from './processes.ts'

const KEEPER = fileURLToPath(new URL('./run-keeper.ts', import.meta.url))
const INSIDE = 'PARLEY_TEST_RUN'

/**
 * A folder for everything that a run of tests puts into the system's temporary folder, and a keeper beside the run: a
 * process of its own that, however the run ends, ends what is left of it and removes the folder.
 */
export function openRunFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'parley-run-'))
  // Away from the terminal, so that what interrupts the run does not reach it.
  const keeper = spawn(process.execPath, [KEEPER, folder], { detached: true, stdio: ['pipe', 'pipe', 'inherit'] })
  for (const part of [keeper, keeper.stdin as Socket, keeper.stdout as Socket]) part.unref()
  Object.assign(process.env, { [INSIDE]: folder, TMPDIR: folder, TEMP: folder, TMP: folder })
  // Each hub of a test has a thread, which would compile the same sources again.
  process.env.NODE_COMPILE_CACHE = join(folder, 'compiled')
  // The sockets of data folders with long names would be there.
  delete process.env.XDG_RUNTIME_DIR
  return { folder, close, endOnSignals }

  /** What should not be there any more at the end of a run. */
  async function close(): Promise<Found[]> {
    return keptAfter('done')
  }

  /** At once, whatever still runs. Tells that nothing more should be started. */
  function endOnSignals(): AbortSignal {
    const ending = new AbortController()
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(signal, async () => {
        if (ending.signal.aborted) return
        ending.abort()
        await keptAfter('interrupted')
        process.exit(128 + constants.signals[signal])
      })
    return ending.signal
  }

  async function keptAfter(word: string): Promise<Found[]> {
    let said = ''
    for (const part of [keeper, keeper.stdout as Socket]) part.ref()
    keeper.stdout.on('data', (text) => {
      said += text
    })
    keeper.stdin.end(word)
    await once(keeper, 'close')
    return JSON.parse(said)
  }
}

/** For a runner of tests that a person starts by hand. */
export default function openUnlessInside(): void {
  if (!process.env[INSIDE]) openRunFolder()
}
