import type { Seat } from '../chat/seat.ts'

/** The seats of agents that come by HTTP: kept from call to call, given up when their agent stays away. */
export function createSeats({ idleMs }: { idleMs: number }) {
  const seats = new Map<string, Seat>()
  return { seatOf, idle, leave, reap, close }

  function seatOf(agent: string, take: () => Seat): Seat {
    const seat = seats.get(agent) ?? take()
    seats.set(agent, seat)
    return seat
  }

  function idle(agent: string): boolean {
    return (seats.get(agent)?.idleMs() ?? idleMs) >= idleMs
  }

  function leave(agent: string) {
    seats.get(agent)?.close()
    seats.delete(agent)
  }

  function reap() {
    for (const agent of [...seats.keys()]) if (idle(agent)) leave(agent)
  }

  function close() {
    for (const agent of [...seats.keys()]) leave(agent)
  }
}
