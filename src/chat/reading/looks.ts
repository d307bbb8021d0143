import { BEFORE_ALL } from '../../protocol/entries/bounds.ts'
import type { ConversationState } from '../../protocol/entries/fold.ts'
import { folderLetter, LOOKS } from '../../protocol/look.ts'
import type { Proposed } from '../conversation/decision.ts'

export type Looks = ReturnType<typeof createLooks>

/** As it is stored with the projection, what was given first comes first. */
export type StoredLook = [conversation: string, letter: string, look: number]

/** So many conversations of one letter are remembered, besides those in use. */
const REMEMBERED = 4 * LOOKS

/**
 * The looks of the marks of agents, which are of a conversation from its beginning. Marks with the same letters never
 * look the same while both are in use, and neither do ten that were given one after the other.
 */
export function createLooks(isInUse: (conversation: string) => boolean) {
  const given = new Map<string, { letter: string; look: number }>()
  return {
    see,
    withLook,
    forget: (conversation: string) => given.delete(conversation),
    all: () => [...given].map(([conversation, { letter, look }]): StoredLook => [conversation, letter, look]),
    restore(stored: StoredLook[] = []) {
      for (const [conversation, letter, look] of stored) given.set(conversation, { letter, look })
    },
  }

  function see(conversation: string, folder: string | undefined, look: number) {
    const letter = folderLetter(folder)
    given.delete(conversation)
    given.set(conversation, { letter, look })
    for (const [other] of of(letter).slice(0, -REMEMBERED)) if (!isInUse(other)) given.delete(other)
  }

  /** The title that tells where an agent works tells its look. */
  function withLook(state: ConversationState, proposed: Proposed[]): Proposed[] {
    if (!proposed.some(({ body }) => body.kind === 'title')) return proposed
    return proposed.map(({ body, ...more }) => {
      if (body.kind !== 'title') return { body, ...more }
      const isNew = body.folder === undefined ? state.last === BEFORE_ALL : body.folder !== state.folder
      return { body: isNew ? { ...body, look: lookFor(state.id, body.folder) } : body, ...more }
    })
  }

  /** A decision that is made again finds the same one. */
  function lookFor(conversation: string, folder: string | undefined): number {
    const letter = folderLetter(folder)
    const known = given.get(conversation)
    if (known?.letter === letter) return known.look
    const look = freeLook(of(letter))
    see(conversation, folder, look)
    return look
  }

  function of(letter: string) {
    return [...given].filter(([, one]) => one.letter === letter)
  }

  /** Of those that nobody uses, the one that was given longest ago; where all are used, a number beyond them. */
  function freeLook(others: ReturnType<typeof of>): number {
    const used = new Set(others.flatMap(([conversation, { look }]) => (isInUse(conversation) ? [look] : [])))
    const order = others.map(([, { look }]) => look)
    const [longest] = Array.from({ length: LOOKS }, (_, look) => look)
      .filter((look) => !used.has(look))
      .sort((one, other) => order.lastIndexOf(one) - order.lastIndexOf(other))
    let look = longest ?? LOOKS
    while (used.has(look)) look++
    return look
  }
}
