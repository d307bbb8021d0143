import { readFileSync } from 'node:fs'
import type { Event } from './journal.ts'
import { PARTS, partOf } from './parts.ts'
import type { Mutant } from './planting.ts'

const NAMED = 'test/repository/surviving-mutants.md'

/** Tells whether every mutant was killed or is named with its reason. */
export function reportMutants(mutants: Mutant[], events: Event[]): boolean {
  const killed = new Set(events.flatMap((event) => ('killed' in event ? event.killed : [])))
  const tried = new Set(events.flatMap((event) => ('tried' in event ? event.tried : [])))
  const named = readFileSync(NAMED, 'utf8')
  for (const event of events) {
    if ('unfit' in event) console.log(`not tried: ${event.unfit}: ${event.why}`)
    if ('spoilt' in event) console.log(`spoilt: ${event.spoilt}: ${event.why}`)
  }
  for (const part of Object.keys(PARTS)) {
    const here = mutants.filter(({ file }) => partOf(file) === part)
    const dead = here.filter(({ id }) => killed.has(id)).length
    if (here.length > 0)
      console.log(`${part.padEnd(10)} ${dead} of ${here.length} killed, ${percent(dead, here.length)}`)
  }
  const dead = mutants.filter(({ id }) => killed.has(id)).length
  console.log(`together   ${dead} of ${mutants.length} killed, ${percent(dead, mutants.length)}`)
  const unnamed = mutants.filter(({ id, file, name }) => !killed.has(id) && !named.includes(`| ${file} | ${name} |`))
  for (const { id, file, line, name } of unnamed)
    console.log(`survived: ${file}:${line} ${name}${tried.has(id) ? '' : ' (no test comes here)'}`)
  return unnamed.length === 0
}

function percent(part: number, whole: number): string {
  return `${Math.floor((100 * part) / whole)} %`
}
