import type { Actor } from './actors.ts'
import type { Outcome } from './verdict.ts'

/** A way in, with everything that can be done there, as the code has it. */
export interface Door {
  name: string
  /** Whether it is behind the socket of the data folder, where the owner's key counts. */
  isSocket?: true
  acts: string[]
  /**
   * What a tool is refused with is decided behind all four ways to it, two of them with MCP: without `PARLEY_SOAK` each
   * drives a quarter of its cells, in diagonals that do not meet, so that each act and each actor meets all of them.
   */
  quarter?: 0 | 1 | 2 | 3
  /** Does it, for real. */
  drive(act: string, actor: Actor): Promise<Outcome>
}

/** Those columns that mean something there. */
export function columnsOf({ isSocket }: Door, actors: Actor[]): Actor[] {
  return actors.filter(({ column }) => isSocket || column !== 'open owner')
}
