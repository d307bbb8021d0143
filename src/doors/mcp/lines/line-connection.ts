import type { Socket } from 'node:net'
import { INTERNAL_ERROR, type JSONRPCMessage, type Server } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { attempt } from '../../../io/attempt.ts'
import { ERRORS, ParleyError } from '../../../protocol/errors.ts'
import { type DeliveredIds, FromLine } from '../../../protocol/frames/link.ts'
import { parse } from '../../../protocol/parse.ts'
import { ifRefused, refusalFor } from '../../../protocol/refusal.ts'
import type { Era } from '../era.ts'
import { LISTEN, type Listening } from '../resources/listening.ts'
import type { Visit } from '../visit.ts'
import { isAsLinesSay, type Told } from './as-lines-say.ts'
import type { LineGuest } from './line-guest.ts'
import { createOutbox } from './line-outbox.ts'
import { createLineTransport } from './line-transport.ts'
import { createTurns, type Said } from './line-turns.ts'

export type LineConnection = ReturnType<typeof openLineConnection>

export interface LineConnectionParts {
  build(context: { era: Era }, calls: NonNullable<Visit['calls']>): Server | Promise<Server>
  /** The client's subscriptions, if there are any. */
  listening(): Promise<Listening | undefined>
  /** Calls that wait shall be answered. */
  dismiss(): void
  guest: Pick<LineGuest, 'tells' | 'asks' | 'reads'>
  /** Remembers deliveries of an answer that came over another connection. */
  remember(delivered: DeliveredIds[]): void
  answered(): void
  closed(saidBye: boolean): void
  report(error: unknown): void
}

const CANCELLED = 'notifications/cancelled'
/** Nothing more of a line is read while what waits for something else to settle weighs more than this. */
const MOST_HELD = 1024 * 1024
/** How the SDK begins to tell of it. */
const OF_CLIENT = /^(?:Discarded|Rejected) /

/** One connection of a line, with the server that its agent speaks with. */
export function openLineConnection(socket: Socket, parts: LineConnectionParts) {
  const { build, listening, dismiss, guest, remember, answered, closed, report } = parts
  const { write, notify, isFull } = createOutbox(socket, () => turns.goOn())
  const { transport, callsIn, receive, got, close } = createLineTransport({ write, notify })
  const turns = createTurns({ isFull, begin: (said) => attempt(() => begin(said), broken), setPaused })
  const { promise: gone, resolve: isGone } = Promise.withResolvers<void>()
  const send = transport.send.bind(transport)
  transport.send = (message) => {
    const sent = send(message)
    answered()
    if (!('method' in message)) {
      turns.answered(message.id)
      isOver(message.id)
    }
    guest.reads()
    return sent
  }
  serveStdio((context) => build(context, callsIn(context.era)), { transport, onerror: failed })
  let listens: Promise<Listening | undefined> | undefined
  const held: { told: Told; weight: number }[] = []
  let heldWeight = 0
  let hasWaiting = false
  /** Callbacks for callers without a key, run when the calls of these ids are over. */
  const underWay = new Map<unknown, () => void>()
  /** What has to have its effect before anything else is heard. */
  let settling: 'listening' | 'arrival' | 'cancel' | undefined
  let saidBye = false
  let isBroken = false
  socket.on('close', () => {
    // It may be remembered for a while whose connection this was.
    turns.forget()
    isGone()
    atListening(({ close }) => close())
    closed(saidBye)
  })
  return { hear, write, end, whenClosed: (act: () => void) => void gone.then(act), farewell }

  /**
   * A refused line is told so, and one that is gone knows it. A client that speaks out of turn is no fault of the hub.
   */
  function failed(error: unknown) {
    const isOfClient = error instanceof Error && OF_CLIENT.test(error.message)
    if (!(error instanceof ParleyError) && !isOfClient) report(error)
  }

  function hear(frame: unknown, weight: number) {
    if (isBroken) return
    const told = isAsLinesSay(frame) ? frame : parse(FromLine, frame)
    if ('hello' in told) throw new ParleyError('invalid', { problem: 'A line says hello once' })
    if ('got' in told) guest.tells(told.slips ?? [])
    if ('mcp' in told && isRequest(told) && !hasRoom(told.mcp.id, weight)) return
    if (held.length === 0 && mayAct(told)) return act(told, weight)
    held.push({ told, weight })
    heldWeight += weight
    pauseIfTooMuch()
  }

  /** Several arrivals, and several cancels, have their effect together. */
  function mayAct(told: Told): boolean {
    if (settling === undefined) return true
    return settling !== 'listening' && ('got' in told || (settling === 'cancel' && isCancel(told)))
  }

  function setPaused(isHeld: boolean) {
    hasWaiting = isHeld
    pauseIfTooMuch()
  }

  function pauseIfTooMuch() {
    if (hasWaiting || heldWeight > MOST_HELD) socket.pause()
    else socket.resume()
  }

  /** One that is refused was never begun, whatever else has its id. */
  function hasRoom(id: unknown, weight: number): boolean {
    const over = attempt(
      () => {
        // One of the two could not be cancelled, and would count no more.
        if (underWay.has(id)) throw new ParleyError('id_in_use')
        return guest.asks(weight)
      },
      ifRefused((refusal) => refusal),
    )
    if (over instanceof ParleyError) {
      write({ mcp: { jsonrpc: '2.0', id, error: { code: ERRORS[over.code].rpc, message: over.message } } })
      guest.reads()
      return false
    }
    if (over) underWay.set(id, over)
    return true
  }

  function isOver(id: unknown) {
    underWay.get(id)?.()
    underWay.delete(id)
  }

  function act(told: Told, weight: number) {
    if ('mcp' in told && told.mcp.method === LISTEN) {
      settling = 'listening'
      void listen(told, weight).finally(goOn)
    } else if ('mcp' in told) {
      pass(told, weight)
      // Its call may have the same id as the next one, and not have begun.
      if (isCancel(told)) settle('cancel')
    } else if ('got' in told) {
      got(told.got)
      remember(told.slips ?? [])
      settle('arrival')
    } else if ('ending' in told) dismiss()
    else {
      saidBye = true
      end()
    }
  }

  /** A request in its turn, everything else at once. */
  function pass(told: Said, weight: number) {
    if (isCancel(told)) cancel((told.mcp.params as { requestId?: unknown })?.requestId)
    if (isRequest(told)) turns.take(told, weight)
    else begin(told)
  }

  function cancel(id: unknown) {
    turns.cancelled(id)
    isOver(id)
    atListening(({ end }) => end(id))
  }

  function begin({ mcp, key, waited_ms }: Said) {
    receive(mcp as unknown as JSONRPCMessage, { key, waitedMs: waited_ms })
  }

  /** Later messages wait, so that they end nothing that has not begun. */
  async function listen(told: Said, weight: number) {
    try {
      listens ??= listening()
      const begun = await (await listens)?.begin(told.mcp)
      if (begun && 'refusal' in begun) refuse(begun.refusal)
      else pass(begun ? { ...told, mcp: begun.request as Said['mcp'] } : told, weight)
    } catch (error) {
      const isRefusal = error instanceof ParleyError
      if (!isRefusal) report(error)
      const problem = { code: INTERNAL_ERROR, message: isRefusal ? error.message : 'Internal error' }
      refuse({ jsonrpc: '2.0', id: told.mcp.id, error: problem })
    }
  }

  function refuse(refusal: object) {
    // A line that is gone needs no answer.
    transport.send(refusal as JSONRPCMessage).catch(() => {})
  }

  function atListening(act: (those: Listening) => void) {
    // A subscription that could not begin does not end.
    listens?.then((those) => those && act(those)).catch(() => {})
  }

  /**
   * Messages that came together with the arrival of an answer, or with a cancel, wait until it has had its effect: a
   * goodbye in the same breath must not undo it.
   */
  function settle(what: 'arrival' | 'cancel') {
    if (settling === undefined) setImmediate(goOn)
    settling = what
  }

  function goOn() {
    settling = undefined
    for (let next = held[0]; next && mayAct(next.told); next = held[0]) {
      const { told, weight } = next
      held.shift()
      heldWeight -= weight
      attempt(() => act(told, weight), broken)
    }
    pauseIfTooMuch()
  }

  /** Ends this line: what fails later than it was heard would end the process. */
  function broken(error: unknown) {
    write({ refused: refusalFor(error, report).message })
    isBroken = true
    held.length = 0
    heldWeight = 0
    end()
  }

  /** Ends what its agent called. */
  function end() {
    void close()
    socket.end()
  }

  /** An answer from a moment ago may still be reported as arrived. */
  async function farewell(ms: number) {
    socket.end()
    const timer = setTimeout(isGone, ms)
    await gone
    clearTimeout(timer)
    void close()
    socket.destroy()
  }
}

function isCancel(told: Told): boolean {
  return 'mcp' in told && told.mcp.method === CANCELLED && !isRequest(told)
}

function isRequest({ mcp }: Said): boolean {
  return 'method' in mcp && 'id' in mcp
}
