import type { Seat } from '../../../chat/delivery/seat.ts'

/** The seats of agents that come by HTTP: kept from call to call, given up when their agent stays away. */
export function createSeats({ idleMs }: { idleMs: number }) {
  const seats = new Map<string, { seat: Seat; clients: Set<string> }>()
  /** What clients have open: requests and streams. */
  const open = new Map<string, Set<Promise<unknown>>>()
  return { seatOf, attends, idle, leave: (session: string) => seatsOf(session).forEach(leave), reap, close }

  /** A client may have several seats, and a seat several clients. */
  function seatOf(agent: string, client: string, take: () => Seat): Seat {
    const taken = seats.get(agent) ?? { seat: take(), clients: new Set() }
    const { seat, clients } = taken
    seats.set(agent, taken)
    if (!clients.has(client)) for (const until of open.get(client) ?? []) seat.attends(until)
    clients.add(client)
    return seat
  }

  /** The client has a request or a stream open until then. */
  function attends(client: string, until: Promise<unknown>) {
    const all = (open.get(client) ?? new Set()).add(until)
    open.set(client, all)
    for (const { seat, clients } of seats.values()) if (clients.has(client)) seat.attends(until)
    void until.then(() => {
      all.delete(until)
      if (all.size === 0 && open.get(client) === all) open.delete(client)
    })
  }

  /** Whether a session, which may have a seat for each run of its client, does nothing in any. */
  function idle(session: string): boolean {
    return seatsOf(session).every(isIdle)
  }

  function isIdle(agent: string): boolean {
    return (seats.get(agent)?.seat.idleMs() ?? idleMs) >= idleMs
  }

  function seatsOf(session: string): string[] {
    return [...seats].flatMap(([agent, { clients }]) => (clients.has(session) ? agent : []))
  }

  function leave(agent: string) {
    seats.get(agent)?.seat.close()
    seats.delete(agent)
  }

  function reap() {
    for (const agent of [...seats.keys()]) if (isIdle(agent)) leave(agent)
  }

  function close() {
    for (const agent of [...seats.keys()]) leave(agent)
  }
}
