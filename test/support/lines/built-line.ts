import { copyFileSync, existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { temporaryFolder } from '../hub.ts'
import { startLine } from './line-process.ts'
import type { Said } from './scripted-hub.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** `parley stdio` as it is built, in a folder where the hub's program is one that a test can tell what to do. */
export function builtLine() {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-test-line-'))
    await build({
      cwd: ROOT,
      input: { line: 'src/line/main.ts' },
      platform: 'node',
      logLevel: 'warn',
      output: { dir: folder, format: 'cjs', entryFileNames: '[name].cjs', codeSplitting: false },
    })
    copyFileSync(join(ROOT, 'test/support/lines/scripted-background.js'), join(folder, 'background.js'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))
  return { line, freshFolder }

  function line(data: string, { env = {}, args = [] as string[], node = process.execPath } = {}) {
    return startLine({ program: join(folder, 'line.cjs'), args, env: { PARLEY_DATA: data, ...env }, node })
  }

  /** A folder of which no hub is left after the test. */
  async function freshFolder(): Promise<string> {
    const data = join(await temporaryFolder(), 'data')
    onTestFinished(() => {
      for (const { pid } of startsIn(data)) end(pid)
    })
    return data
  }
}

function end(pid: number) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    // It has ended already.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** The hubs that were started in a folder, by what they were told. */
export function startsIn(data: string): Said[] {
  const file = join(data, 'starts')
  if (!existsSync(file)) return []
  // The last line may still be on its way into the file.
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1)
  return lines.map((line) => JSON.parse(line))
}
