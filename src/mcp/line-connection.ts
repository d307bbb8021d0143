import type { Socket } from 'node:net'
import { INTERNAL_ERROR, type JSONRPCMessage, type Server } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { ParleyError } from '../protocol/errors.ts'
import { FromLine, type Slip } from '../protocol/link.ts'
import { parse } from '../protocol/parse.ts'
import { createOutbox } from './line-outbox.ts'
import { createLineTransport } from './line-transport.ts'
import { createTurns, type Said } from './line-turns.ts'
import { LISTEN, type Listening } from './listening.ts'
import type { Era } from './mounts.ts'
import type { Visit } from './visit.ts'

export type LineConnection = ReturnType<typeof openLineConnection>

export interface LineConnectionParts {
  build(context: { era: Era }, calls: NonNullable<Visit['calls']>): Server | Promise<Server>
  /** What its client listens to, if there is anything. */
  listening(): Promise<Listening | undefined>
  /** Calls that wait shall be answered. */
  dismiss(): void
  /** Throws where that is more than its line may tell. */
  tells(slips: Slip[]): void
  /** Told how many characters of requests wait, and whenever something was written. */
  keeps(waiting: number): void
  /** What was delivered, of an answer that came over another connection. */
  remember(slips: Slip[]): void
  answered(): void
  closed(saidBye: boolean): void
  report(error: unknown): void
}

type Told = Exclude<FromLine, { hello: unknown }>

const CANCELLED = 'notifications/cancelled'
/** How the SDK begins to tell of it. */
const OF_CLIENT = /^(?:Discarded|Rejected) /

/** One connection of a line, with the server that its agent speaks with. */
export function openLineConnection(socket: Socket, parts: LineConnectionParts) {
  const { build, listening, dismiss, tells, keeps, remember, answered, closed, report } = parts
  const { write, notify, isFull } = createOutbox(socket, () => turns.goOn())
  const { transport, calls, receive, got, close } = createLineTransport({ write, notify })
  const turns = createTurns({
    isFull,
    begin,
    hold: (isHeld) => void (isHeld ? socket.pause() : socket.resume()),
    keeps,
  })
  const { promise: gone, resolve: isGone } = Promise.withResolvers<void>()
  const send = transport.send.bind(transport)
  transport.send = (message) => {
    const sent = send(message)
    keeps(turns.waiting())
    answered()
    if (!('method' in message)) turns.answered(message.id)
    return sent
  }
  serveStdio((context) => build(context, calls), { transport, onerror: failed })
  let listens: Promise<Listening | undefined> | undefined
  const held: Told[] = []
  let settling = false
  let saidBye = false
  socket.on('close', () => {
    // It may be remembered for a while whose connection this was.
    turns.forget()
    isGone()
    atListening(({ close }) => close())
    closed(saidBye)
  })
  return { hear, write, end, whenClosed: (act: () => void) => void gone.then(act), farewell }

  /** Who is refused is told so, and who is gone knows it. What a client says in the wrong place is no fault of the hub. */
  function failed(error: unknown) {
    const isOfClient = error instanceof Error && OF_CLIENT.test(error.message)
    if (!(error instanceof ParleyError) && !isOfClient) report(error)
  }

  function hear(frame: unknown) {
    const told = parse(FromLine, frame)
    if ('hello' in told) throw new ParleyError('invalid', { problem: 'A line says hello once' })
    if ('got' in told) tells(told.slips ?? [])
    if (settling) held.push(told)
    else act(told)
  }

  function act(told: Told) {
    if ('mcp' in told && told.mcp.method === LISTEN) {
      settling = true
      void listen(told).finally(goOn)
    } else if ('mcp' in told) pass(told)
    else if ('got' in told) {
      got(told.got)
      remember(told.slips ?? [])
      settling = true
      setImmediate(goOn)
    } else if ('ending' in told) dismiss()
    else {
      saidBye = true
      end()
    }
  }

  /** A request in its turn, everything else at once. */
  function pass(told: Said) {
    if (told.mcp.method === CANCELLED) cancel((told.mcp.params as { requestId?: unknown })?.requestId)
    if ('method' in told.mcp && 'id' in told.mcp) turns.take(told)
    else begin(told)
  }

  function cancel(id: unknown) {
    turns.cancelled(id)
    atListening(({ end }) => end(id))
  }

  function begin({ mcp, key, waited_ms }: Said) {
    receive(mcp as unknown as JSONRPCMessage, { key, waitedMs: waited_ms })
  }

  /** Whatever comes after it waits, so that it ends nothing that has not begun. */
  async function listen(told: Said) {
    try {
      listens ??= listening()
      const begun = await (await listens)?.begin(told.mcp)
      if (begun && 'refusal' in begun) refuse(begun.refusal)
      else pass(begun ? { ...told, mcp: begun.request as Said['mcp'] } : told)
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
    // Where it could not begin, nothing ends.
    listens?.then((those) => those && act(those)).catch(() => {})
  }

  /** What came with the word that an answer arrived: a goodbye or a cancel in the same breath must not undo it. */
  function goOn() {
    settling = false
    while (!settling) {
      const next = held.shift()
      if (!next) return
      act(next)
    }
  }

  /** Ends what its agent called. */
  function end() {
    void close()
    socket.end()
  }

  /** What was answered a moment ago may still be told to have arrived. */
  async function farewell(ms: number) {
    socket.end()
    const timer = setTimeout(isGone, ms)
    await gone
    clearTimeout(timer)
    void close()
    socket.destroy()
  }
}
