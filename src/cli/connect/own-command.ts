import { spawnSync } from 'node:child_process'
import { isDeepStrictEqual } from 'node:util'
import type { Client } from './client.ts'
import { unclear } from './formats/text-format.ts'
import { programAt } from './found.ts'
import type { Places } from './places.ts'
import type { Wanted } from './plan.ts'
import { isOwn, NAME } from './server-entry.ts'

const LIMIT_MS = 60_000

/** A client that writes its file all the time changes the entry itself; `there` is what it has now. */
export function byCommand({ command, title, programs }: Client, { isProject }: Wanted, places: Places, there: unknown) {
  if (!command || isProject) return undefined
  return {
    isThere: isOwn(there),
    isNew(entry: object): boolean {
      if (there !== undefined && !isOwn(there)) throw unclear(`has an entry "${NAME}" that Parley did not write`)
      return !isDeepStrictEqual(there, entry)
    },
    adding: (entry: object) => command.add(JSON.stringify(entry)),
    removing: command.remove,
    add(entry: object) {
      if (there !== undefined) run(command.remove)
      run(command.add(JSON.stringify(entry)))
    },
    remove: () => run(command.remove),
  }

  function run([, ...args]: string[]) {
    const program = programs.map((name) => programAt(name, places)).find((path) => path !== undefined)
    if (!program) throw unclear(`is kept by ${title} alone, and its command ${programs[0]} is not here`)
    const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8', timeout: LIMIT_MS })
    const problem = error?.message ?? stderr.trim().split('\n').at(-1)
    if (status !== 0) throw unclear(`was not changed by ${programs[0]} (${problem})`)
  }
}
