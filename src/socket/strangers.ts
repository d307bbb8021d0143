import type { Socket } from 'node:net'
import { ParleyError } from '../protocol/errors.ts'
import { LINK_LIMITS, type LinkLimits, type Told, weightOf } from '../protocol/link-limits.ts'

export type Stranger = ReturnType<ReturnType<typeof createStrangers>['came']>

interface Visit {
  /** Ends it with these words. */
  refuse(error: ParleyError): void
  /** Whether it stays: a line that speaks, and not one that only holds on to its connection. */
  stays: boolean
  /** Of a line of text whose end has not come: how long it is, and that it is which of all that began. */
  unfinished: number
  began: number
  slips: number
  hasPort: boolean
}

/** Those who opened the socket and have not shown the owner's key: what all of them together take up of the hub. */
export function createStrangers(limits: LinkLimits = LINK_LIMITS) {
  /** In the order in which they came. */
  const visits = new Map<Socket, Visit>()
  let begun = 0
  /** What was told lately. */
  let slips = 0
  return { came }

  /** Whoever comes is a stranger at first; where they are too many, the oldest that does nothing goes. */
  function came(socket: Socket, refuse: (error: ParleyError) => void) {
    const visit: Visit = { refuse, stays: false, unfinished: 0, began: 0, slips: 0, hasPort: false }
    visits.set(socket, visit)
    socket.once('close', () => visits.delete(socket))
    if (visits.size > limits.connections) end(oldestIdle())
    return {
      /** It has the key, or is somebody whom others look after. */
      isNone: () => void visits.delete(socket),
      isLine,
      isTooMuch,
      says,
      tells,
      opensPort,
    }

    function isLine() {
      visit.stays = true
    }

    /** Whether a line of text may not be so long here. Of all that wait for their end the oldest goes when they are too long. */
    function isTooMuch(length: number): boolean {
      if (!visits.has(socket)) return false
      if (visit.unfinished === 0) visit.began = ++begun
      visit.unfinished = length
      if (allUnfinished() > limits.unfinishedLength) end(oldestUnfinished())
      return !visit.stays && length > limits.helloLength
    }

    /** It is kept for as long as its line is, and a while longer. */
    function says(hello: object) {
      if (JSON.stringify(hello).length > limits.keptHello) throw new ParleyError('too_large')
    }

    /** What an agent had of an answer or where it was. Each costs the hub a look into its log. */
    function tells(those: readonly Told[]) {
      if (!visits.has(socket) || those.length === 0) return
      const weight = those.reduce((total, one) => total + weightOf(one), 0)
      if (visit.slips + weight > limits.slips) throw new ParleyError('too_many_slips', { most: limits.slips })
      if (slips + weight > limits.allSlips) throw new ParleyError('too_many_slips', { most: limits.allSlips })
      visit.slips += weight
      slips += weight
      // Also of one that is gone: what it told may still be looked at.
      setTimeout(() => {
        slips -= weight
      }, limits.slipsMs).unref()
    }

    /** Throws where there is none left. */
    function opensPort(about: { port: number; url: string }) {
      if (!visits.has(socket)) return
      const others = [...visits.values()].filter(({ hasPort }) => hasPort)
      if (others.length >= limits.ports) throw new ParleyError('too_many_ports', { ...about, most: limits.ports })
      visit.hasPort = true
    }
  }

  function allUnfinished(): number {
    let total = 0
    for (const { unfinished } of visits.values()) total += unfinished
    return total
  }

  function oldestIdle(): Socket | undefined {
    for (const [socket, { stays }] of visits) if (!stays || socket.writableEnded) return socket
    return undefined
  }

  function oldestUnfinished(): Socket | undefined {
    const unfinished = [...visits].filter(([, visit]) => visit.unfinished > 0)
    return unfinished.toSorted(([, one], [, other]) => one.began - other.began)[0]?.[0]
  }

  function end(socket: Socket | undefined) {
    if (!socket) return
    visits.get(socket)?.refuse(new ParleyError('too_many_strangers'))
    visits.delete(socket)
    socket.destroy()
  }
}
