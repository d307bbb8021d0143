import { readFileSync } from 'node:fs'
import type { Event } from './journal.ts'
import { PARTS, partOf } from './parts.ts'
import type { Mutant } from './planting.ts'

const NAMED = 'test/repository/surviving-mutants.md'

interface Survivor {
  file: string
  name: string
  reason: string
}

type Known = Pick<Mutant, 'id' | 'file' | 'line' | 'name'>

/** The rows of the table: a file, a mutant in it, and why no test can notice it. */
export function namedSurvivors(text = readFileSync(NAMED, 'utf8')): Survivor[] {
  const rows = text.matchAll(/^\| `(src\/.+?)` \| (.+?) \| (.*?) \|$/gm)
  return [...rows].map(([, file = '', name = '', reason = '']) => ({ file, name, reason }))
}

/** What is to be said, and whether every mutant was killed or is named. */
export function judge(mutants: Known[], events: Event[], named: Survivor[]): { said: string[]; well: boolean } {
  const killed = new Set(events.flatMap((event) => ('killed' in event ? event.killed : [])))
  const reached = new Set(events.flatMap((event) => ('tried' in event ? event.tried : [])))
  const living = mutants.filter(({ id }) => !killed.has(id))
  const unnamed = living.filter(({ file, name }) => !named.some((one) => one.file === file && one.name === name))
  const said = [
    ...events.flatMap((event) => ('unfit' in event ? `not tried: ${event.unfit}: ${event.why}` : [])),
    ...mutants.flatMap(({ id, file, line, name }) => {
      const kill = events.find((event) => 'killed' in event && event.killed === id)
      const isStuck = kill && 'why' in kill && (kill.why === '' || kill.why.startsWith('longer than'))
      return isStuck ? `hangs, also alone: ${file}:${line} ${name}` : []
    }),
    ...unnamed.map(
      ({ id, file, line, name }) =>
        `survived: ${file}:${line} ${name}${reached.has(id) ? '' : ', where no test comes'}`,
    ),
    ...Object.keys(PARTS).flatMap((part) => {
      const here = mutants.filter(({ file }) => partOf(file) === part)
      return here.length > 0 ? counted(part, here) : []
    }),
    counted('together', mutants),
  ]
  return { said, well: unnamed.length === 0 }

  function counted(what: string, some: Known[]): string {
    const dead = some.filter(({ id }) => killed.has(id)).length
    const excused = some.filter((one) => living.includes(one) && !unnamed.includes(one)).length
    const share = Math.floor((100 * dead) / some.length)
    return `${what.padEnd(10)} ${dead} of ${some.length} killed (${share} %), ${excused} named, ${some.length - dead - excused} not`
  }
}
