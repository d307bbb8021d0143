import type { Chat } from '../chat/chat.ts'
import type { Seat } from '../chat/seat.ts'

export type Seats = ReturnType<typeof createSeats>

export interface Place {
  conversation?: string
  title: string
  /** The agent may see this conversation only. */
  bound?: boolean
}

/** The seats of agents that come by HTTP: kept from call to call, given up when their agent stays away. */
export function createSeats({ chat, idleMs }: { chat: Chat; idleMs: number }) {
  const seats = new Map<string, Seat>()
  return { seatOf, idle, leave, reap, close }

  function seatOf(agent: string, place: () => Place): Seat {
    const seat = seats.get(agent) ?? chat.seat(place())
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
