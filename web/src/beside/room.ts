import type { Roster } from '../state/list/roster.svelte.ts'

/** Two conversations can be read side by side from here on. */
export const ROOM = 'min-width: 100rem'

export function hasRoom(): boolean {
  return matchMedia(`(${ROOM})`).matches
}

/**
 * The conversation that comes beside another, where the person named none: the next that needs them, or else the
 * newest.
 */
export function besideOf({ needsYou, list }: Roster, shown: string | undefined): string | undefined {
  return [...needsYou, ...list].find(({ id }) => id !== shown)?.id
}
