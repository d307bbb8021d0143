import type { Bubble } from './row.ts'
import type { Talk } from './talk.svelte.ts'

/** Its words are in the composer from now on; what was being written there waits. */
export function beginChange(talk: Talk, { key, text }: Pick<Bubble, 'key' | 'text'>) {
  const { draft, target, revisions } = talk
  if (target.kind !== 'change') revisions.aside = draft === '' ? undefined : { draft, target }
  talk.takeDraft()
  talk.aimAt({ kind: 'change', message: key })
  talk.draft = text
}

/** The words as they are changed now. What waited is there again. */
export function endChange(talk: Talk): string {
  const { aside } = talk.revisions
  const words = talk.takeDraft()
  talk.revisions.aside = undefined
  if (aside) talk.draft = aside.draft
  if (aside) talk.aimAt(aside.target)
  return words
}
