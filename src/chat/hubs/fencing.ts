import type { Body } from '../../protocol/entries/entry.ts'
import type { Proposed } from '../conversation/decision.ts'
import type { Projection } from '../conversation/projection.ts'
import type { Rooms } from '../conversation/rooms.ts'
import type { Held, Leases } from '../driving/leases.ts'
import type { Roster } from './roster.ts'

interface FencingParts {
  rooms: Pick<Rooms, 'append'>
  projection: Pick<Projection, 'reached' | 'leaseIn'>
  leases: Pick<Leases, 'refusal'>
  roster: Pick<Roster, 'own'>
}

export type Fencing = ReturnType<typeof createFencing>

/**
 * Appends what the holders of leases write. A hub may know no better than that a lease still lasts, so that each entry
 * carries the number of its lease, and nothing of an older one is appended behind it. A hub alone knows better.
 */
export function createFencing({ rooms, projection, leases, roster }: FencingParts) {
  return { under }

  function under(held: Held): Pick<Rooms, 'append'> {
    if (roster.own === undefined) return rooms
    return {
      append: (conversation, decide, how) =>
        rooms.append(conversation, (state) => decide(state).map((one) => numbered(one, held)), {
          ...how,
          first: (last) => mustBeNewest(held, last),
        }),
    }
  }

  /** Everything up to the entry that it is appended behind has been looked at. */
  async function mustBeNewest(held: Held, last: string) {
    await projection.reached(last)
    if (projection.leaseIn(held.conversation) > held.number) throw await leases.refusal(held)
  }
}

function numbered({ body, ...rest }: Proposed, { number }: Held): Proposed {
  return { ...rest, body: { ...body, lease: number } as Body }
}
