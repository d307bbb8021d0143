import { programOnPath, type SearchPath } from '../io/programs/program-on-path.ts'
import type { CatalogueAgent } from './catalogue.ts'

/** How an agent can be started here: `words` are the program and its arguments. */
export type Found =
  | { words: string[] }
  /** Its adapter comes from the registry, by `npx` at this place. */
  | { npx: string }
  | { missing: 'agent' | 'npx' }

export function findAgent({ program, args, adapter }: CatalogueAgent, path: SearchPath): Found {
  const speaks = programOnPath(adapter?.program ?? program, path)
  if (speaks !== undefined) return { words: [speaks, ...(args ?? [])] }
  if (!adapter || programOnPath(program, path) === undefined) return { missing: 'agent' }
  const npx = programOnPath('npx', path)
  return npx === undefined ? { missing: 'npx' } : { npx }
}
