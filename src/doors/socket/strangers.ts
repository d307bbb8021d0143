import type { Socket } from 'node:net'
import { ParleyError } from '../../protocol/errors.ts'
import { LINK_LIMITS, type LinkLimits, type Told, weightOf } from '../../protocol/frames/link-limits.ts'
import { valuesIn } from '../../protocol/text/values-in.ts'

const MIB = 1024 * 1024
/** The cost of each character that begins a value or separates two: an empty object in a list has two, and takes 64. */
const VALUE_BYTES = 32

export type Stranger = ReturnType<ReturnType<typeof createStrangers>['came']>

interface StrangerState {
  /** Ends it with these words. */
  refuse(error: ParleyError): void
  /** Whether it stays: a line that speaks, and not one that only holds on to its connection. */
  stays: boolean
  /** Characters of a line of text whose end has not come. */
  unfinished: number
  /** The weight of its calls that wait for their answer. */
  unanswered: number
  /** The order in which it began to hold anything; 0 while it does not. */
  began: number
  deliveredIds: number
  hasPort: boolean
}

/** Those who opened the socket and have not shown the owner's key: what all of them together take up of the hub. */
export function createStrangers(limits: LinkLimits = LINK_LIMITS) {
  /** Strangers in the order in which they came. */
  const states = new Map<Socket, StrangerState>()
  let begun = 0
  /** The weight of what all of them told lately. */
  let deliveredIds = 0
  return { came }

  /** Every connection is a stranger at first; where they are too many, the oldest idle one goes. */
  function came(socket: Socket, refuse: (error: ParleyError) => void) {
    const state: StrangerState = {
      refuse,
      stays: false,
      unfinished: 0,
      unanswered: 0,
      began: 0,
      deliveredIds: 0,
      hasPort: false,
    }
    states.set(socket, state)
    socket.once('close', () => states.delete(socket))
    if (states.size > limits.connections) end(oldestIdle())
    return {
      /** It has the key, or is somebody whom others look after. */
      isNone: () => void states.delete(socket),
      isLine,
      isTooMuch,
      weighs,
      asks,
      reads,
      says,
      tells,
      opensPort,
    }

    function isLine() {
      state.stays = true
    }

    /** Whether a line of text may not be so long here. */
    function isTooMuch(length: number): boolean {
      if (!states.has(socket)) return false
      state.unfinished = length
      makeRoom()
      return !state.stays && length > limits.helloLength
    }

    /** What a line of text takes once it is read. Throws where that is more than all calls together may. */
    function weighs(text: string): number {
      if (!states.has(socket)) return text.length
      const weight = text.length + valuesIn(text) * VALUE_BYTES
      if (weight > limits.unansweredLength) throw new ParleyError('too_large')
      return weight
    }

    /**
     * A call that is kept until its answer, when what comes back is to be called. Throws where there is no room for it.
     */
    function asks(weight: number): (() => void) | undefined {
      if (!states.has(socket)) return undefined
      const most = limits.unansweredLength
      let total = weight
      for (const { unanswered } of states.values()) total += unanswered
      if (total > most) throw new ParleyError('too_much_unanswered', { most: most / MIB })
      state.unanswered += weight
      return () => {
        state.unanswered -= weight
      }
    }

    /** Something was written to it, which it may not have read. */
    function reads() {
      if (states.has(socket)) makeRoom()
    }

    /** Throws where too much would be kept of it, for as long as its line is known. */
    function says(hello: object) {
      if (states.has(socket) && JSON.stringify(hello).length > limits.strangersHelloLength)
        throw new ParleyError('too_large')
    }

    /** What an agent had of an answer or where it was. Each costs the hub a look into its log. */
    function tells(those: readonly Told[]) {
      if (!states.has(socket) || those.length === 0) return
      const weight = those.reduce((total, one) => total + weightOf(one), 0)
      if (state.deliveredIds + weight > limits.deliveredIds)
        throw new ParleyError('too_many_slips', { most: limits.deliveredIds })
      if (deliveredIds + weight > limits.allDeliveredIds)
        throw new ParleyError('too_many_slips', { most: limits.allDeliveredIds })
      state.deliveredIds += weight
      deliveredIds += weight
      // This runs also for one that is gone: what it told may still be looked at.
      setTimeout(() => {
        deliveredIds -= weight
      }, limits.deliveredIdsMs).unref()
    }

    /** Throws where there is none left. */
    function opensPort(about: { port: number; url: string }) {
      if (!states.has(socket)) return
      const others = [...states.values()].filter(({ hasPort }) => hasPort)
      if (others.length >= limits.ports) throw new ParleyError('too_many_ports', { ...about, most: limits.ports })
      state.hasPort = true
    }
  }

  /** Where all together hold too much, unread data included, the one goes that has held something for longest. */
  function makeRoom() {
    let total = 0
    let oldest: { socket: Socket; state: StrangerState } | undefined
    for (const [socket, state] of states) {
      const held = state.unfinished + socket.writableLength
      total += held
      state.began = held === 0 ? 0 : state.began || ++begun
      if (held > 0 && state.began <= (oldest?.state.began ?? state.began)) oldest = { socket, state }
    }
    if (total > limits.heldLength) end(oldest?.socket)
  }

  function oldestIdle(): Socket | undefined {
    for (const [socket, { stays }] of states) if (!stays || socket.writableEnded) return socket
    return undefined
  }

  function end(socket: Socket | undefined) {
    if (!socket) return
    states.get(socket)?.refuse(new ParleyError('too_many_strangers'))
    states.delete(socket)
    socket.destroy()
  }
}
