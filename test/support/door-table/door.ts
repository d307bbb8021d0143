import type { Actor } from './actors.ts'
import type { Outcome } from './verdict.ts'

/** A way in, with everything that can be done there, as the code has it. */
export interface Door {
  name: string
  /** Whether it is behind the socket of the data folder, where the owner's key counts. */
  isSocket?: true
  acts: string[]
  /**
   * What an act at a surface is refused with is decided behind both ways to it: without `PARLEY_SOAK` half of the cells
   * are driven over HTTP and the other half by a line, as on a chessboard, so that each act and each actor meets both.
   */
  half?: 0 | 1
  /** Does it, for real. */
  drive(act: string, actor: Actor): Promise<Outcome>
}

/** Those columns that mean something there. */
export function columnsOf({ isSocket }: Door, actors: Actor[]): Actor[] {
  return actors.filter(({ column }) => isSocket || column !== 'open owner')
}
