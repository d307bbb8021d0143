import { BEFORE_ALL, type Entry } from '../../protocol/entries/entry.ts'
import type { ConversationState } from '../../protocol/entries/fold.ts'
import { createOpenLimits, NOTHING, type Taken } from '../questions/open-limits.ts'
import type { Looks } from '../reading/looks.ts'
import type { Decide } from './decision.ts'
import { type How, type Leave, openRoom, type Room, type RoomParts } from './room.ts'

export type Rooms = ReturnType<typeof createRooms>

interface RoomsParts extends Omit<RoomParts, 'conversation' | 'openLimits'> {
  /** How much a payer has open; nothing where nobody asks. */
  openOf?(payer: string): Taken
  /** Without it, marks have no looks of their own. */
  looks?: Pick<Looks, 'withLook'>
  /** How many are kept although nobody uses them. */
  most?: number
}

interface Kept {
  opening: Promise<Room>
  /** Set once it is open. */
  room?: Room
  /** How many use it just now. */
  users: number
}

/** The rooms that are in use, and the ones that were lately; the others are opened again when they are needed. */
export function createRooms({ most = 256, openOf = () => NOTHING, looks, ...parts }: RoomsParts) {
  const openLimits = createOpenLimits({ openOf })
  /** Those that were used last come last. */
  const rooms = new Map<string, Kept>()
  /** The last of them: most calls are for the room of the one before. */
  let last: Kept | undefined
  return { state, known, append, forget: leave, count: () => rooms.size, flush, close }

  /** The conversation as it is now; an empty one where nobody ever spoke. */
  function state(conversation: string): Promise<ConversationState> {
    return use(conversation, async ({ state }) => state)
  }

  /** The conversation as it is now, if its room is open. Not for who just heard of an entry: the room may be told after. */
  function known(conversation: string): ConversationState | undefined {
    const kept = rooms.get(conversation)
    if (!kept?.room || kept.room.hasFailed()) return undefined
    usedLast(conversation, kept)
    return kept.room.state
  }

  function append(conversation: string, decide: Decide, how?: How): Promise<Entry[]> {
    const whole: Decide = looks ? (state) => looks.withLook(state, decide(state)) : decide
    return use(conversation, (room) => room.append(whole, how))
  }

  function leave(conversation: string, how: Leave): Promise<void> {
    return use(conversation, (room) => room.forget(how))
  }

  function use<Result>(conversation: string, work: (room: Room) => Promise<Result>): Promise<Result> {
    const kept = rooms.get(conversation) ?? open(conversation)
    usedLast(conversation, kept)
    kept.users++
    // Never in this same step: who hears of an entry may do so before the room does.
    const working = kept.opening.then(work)
    working.then(used, used)
    return working

    function used() {
      kept.users--
      tidy(conversation, kept)
    }
  }

  /** It goes behind all others. */
  function usedLast(conversation: string, kept: Kept) {
    if (kept === last) return
    last = kept
    rooms.delete(conversation)
    rooms.set(conversation, kept)
  }

  function open(conversation: string): Kept {
    const kept: Kept = { opening: openRoom({ ...parts, openLimits, conversation }), users: 0 }
    kept.opening.then(
      (room) => {
        kept.room = room
      },
      // The caller has the error; the next one tries again.
      () => forget(conversation, kept),
    )
    return kept
  }

  function tidy(conversation: string, kept: Kept) {
    if (kept.room?.hasFailed() || isNobodys(kept)) forget(conversation, kept)
    if (rooms.size <= most) return
    for (const [other, { room, users }] of rooms) {
      if (rooms.size <= most) return
      if (users === 0 && room?.isIdle()) forget(other)
    }
  }

  /** A name that was only asked for. */
  function isNobodys({ room, users }: Kept): boolean {
    return users === 0 && room?.state.last === BEFORE_ALL && room.isIdle()
  }

  function forget(conversation: string, kept = rooms.get(conversation)) {
    if (rooms.get(conversation) === kept) rooms.delete(conversation)
    if (kept === last) last = undefined
    kept?.room?.close()
  }

  /** Resolves when nothing waits to be appended any more. */
  async function flush() {
    await Promise.allSettled([...rooms.values()].map(({ opening }) => opening))
    await Promise.all([...rooms.values()].map(({ room }) => room?.flush()))
  }

  async function close() {
    await flush()
    for (const conversation of [...rooms.keys()]) forget(conversation)
  }
}
