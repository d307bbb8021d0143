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
  /** What waits for the turn before to be told, and until then. */
  const pending: Happening[] = []
  let beginning: Promise<void> | undefined
  return { happens, behind, settled: (event: Settled) => telling?.settled(event), isWaiting, end }

  function happens(happening: Happening) {
    if (telling) return show(telling, happening)
    pending.push(happening)
    beginning ??= begin()
  }

  async function begin() {
    await told()
    beginning = undefined
    telling = tell(newTurn(randomUUID(), []))
    for (const happening of pending.splice(0)) show(telling, happening)
  }

  function show(telling: Telling, happening: Happening) {
    telling.happens(happening)
    clearTimeout(quiet)
    quiet = setTimeout(telling.rest, QUIET_MS)
  }

  /** Something to wait for before more happens. */
  function behind(): Promise<void> | undefined {
    return beginning ?? telling?.behind()
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
