import { readdirSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { attempt } from '../../io/attempt.ts'
import { programOnPath } from '../../io/programs/program-on-path.ts'
import { ignoring } from '../../io/system-error.ts'
import { jsonIn } from '../../protocol/text/json.ts'
import type { Client } from './client.ts'
import { readConfigFile } from './file-text.ts'
import { ifUnclear } from './formats/text-format.ts'
import type { Places } from './places.ts'

/** Whether a client is installed here. */
export function isFound({ programs, versions, app }: Client, places: Places): boolean {
  const program = programs.map((name) => programOnPath(name, places)).find((path) => path !== undefined)
  if (program === undefined) return app !== undefined && holdsSomething(app(places))
  if (!versions) return true
  const { from = 0, below = Infinity } = versions
  const major = majorOf(program) ?? Number.MAX_SAFE_INTEGER
  return major >= from && major < below
}

/** A folder that was made for an entry alone is left empty when that is taken out. */
function holdsSomething(folder: string): boolean {
  return (attempt(() => readdirSync(folder), ignoring()) ?? []).length > 0
}

/** Of the package that it is part of; whatever else lies there under that name is no package. */
function majorOf(program: string): number | undefined {
  let folder = dirname(attempt(() => realpathSync(program), ignoring()) ?? program)
  while (folder !== dirname(folder)) {
    const text = attempt(() => readConfigFile(join(folder, 'package.json')), ifUnclear)
    const { version } = (text === undefined ? {} : (jsonIn(text) ?? {})) as { version?: unknown }
    if (typeof version === 'string') return Number.parseInt(version, 10)
    folder = dirname(folder)
  }
  return undefined
}
