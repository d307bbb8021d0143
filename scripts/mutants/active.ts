import { appendFileSync, readFileSync } from 'node:fs'
import { delimiter } from 'node:path'

/** Which mutation is made now, none being 0, and which ones could be. */
export interface Mutating {
  active: number
  reached: Set<number>
}

declare global {
  var parleyMutating: Mutating | undefined
}

/** Asked by the code at each place that has a mutation. */
export function mutant(id: number): boolean {
  globalThis.parleyMutating ??= ofProcess()
  const { active, reached } = globalThis.parleyMutating
  if (!reached.has(id)) reached.add(id)
  return active === id
}

/** Tests start processes with hardly any variables, but with the PATH: its first folder is that of the tests' worker. */
function ofProcess(): Mutating {
  const [folder = ''] = (process.env.PATH ?? '').split(delimiter)
  const active = Number(readFileSync(`${folder}/active`, 'utf8'))
  const reached = new Set<number>()
  // Whoever is killed has said it before.
  reached.add = (id) => {
    appendFileSync(`${folder}/reached`, `${id}\n`)
    return Set.prototype.add.call(reached, id)
  }
  return { active, reached }
}
