import { randomUUID } from 'node:crypto'
import type { Happening } from '../driver.ts'
import type { Settled } from './asking.ts'
import type { Telling } from './telling.ts'
import { newTurn, type UiState } from './ui-state.ts'

/** A text is a whole message when nothing more came for this long. */
const QUIET_MS = 1000

interface AfterwardsParts {
  tell(state: UiState): Telling
  /** Everything of the turn before was told. */
  told(): Promise<unknown> | undefined
}

/** What an agent says and does while no turn runs: some are not done when they say so. It belongs to no turn. */
export function createAfterwards({ tell, told }: AfterwardsParts) {
  let telling: Telling | undefined
  let quiet: NodeJS.Timeout | undefined
  let work: Promise<unknown> = Promise.resolve()
  return { happens, settled: (event: Settled) => telling?.settled(event), isWaiting, end }

  function happens(happening: Happening) {
    work = Promise.all([work, told()]).then(() => {
      telling ??= tell(newTurn(randomUUID(), []))
      telling.happens(happening)
      clearTimeout(quiet)
      quiet = setTimeout(() => telling?.rest(), QUIET_MS)
    })
  }

  function isWaiting(): boolean {
    return telling?.isWaiting() ?? false
  }

  /** Nothing of it stays open: the next turn begins, or the agent is gone. */
  function end() {
    clearTimeout(quiet)
    telling?.leave()
    telling = undefined
  }
}
