import { accessSync, constants, existsSync, readFileSync, realpathSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { attempt } from '../../io/attempt.ts'
import { ignoring } from '../../io/system-error.ts'
import { jsonIn } from '../../protocol/text/json.ts'
import type { Client } from './client.ts'
import type { Places } from './places.ts'

/** Whether a client is installed here. */
export function isFound({ programs, versions, app }: Client, places: Places): boolean {
  const program = programs.map((name) => programAt(name, places)).find((path) => path !== undefined)
  if (program === undefined) return app !== undefined && existsSync(app(places))
  if (!versions) return true
  const { from = 0, below = Infinity } = versions
  const major = majorOf(program) ?? Number.MAX_SAFE_INTEGER
  return major >= from && major < below
}

/** The program that a shell would run. */
function programAt(name: string, { env, platform }: Places): string | undefined {
  const endings = platform === 'win32' ? ['.cmd', '.exe'] : ['']
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  return folders.flatMap((folder) => endings.map((ending) => join(folder, name + ending))).find(isProgram)
}

function isProgram(path: string): boolean {
  return attempt(
    () => {
      accessSync(path, constants.X_OK)
      return true
    },
    () => false,
  )
}

/** Of the package that it is part of. */
function majorOf(program: string): number | undefined {
  let folder = dirname(realpathSync(program))
  while (folder !== dirname(folder)) {
    const text = attempt(() => readFileSync(join(folder, 'package.json'), 'utf8'), ignoring('ENOENT', 'ENOTDIR'))
    const { version } = (text === undefined ? {} : (jsonIn(text) ?? {})) as { version?: string }
    if (version !== undefined) return Number.parseInt(version, 10)
    folder = dirname(folder)
  }
  return undefined
}
