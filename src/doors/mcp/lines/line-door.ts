import type { Socket } from 'node:net'
import { attempt } from '../../../io/attempt.ts'
import { ParleyError } from '../../../protocol/errors.ts'
import type { Farewell, Hello, PlaceTaken, Welcome } from '../../../protocol/frames/link.ts'
import { BEAT_MS } from '../../../protocol/frames/link-format.ts'
import { LINK_LIMITS } from '../../../protocol/frames/link-limits.ts'
import { createHeirs } from './heirs.ts'
import { type LineConnection, openLineConnection } from './line-connection.ts'
import type { Hear, LineGuest } from './line-guest.ts'
import { createLineSession, type LineSession, type LineSessionParts } from './line-session.ts'

interface LineDoorParts extends Omit<LineSessionParts, 'hello' | 'heirs' | 'joined'> {
  /** Resolves once the hub is open. The line's requests hold for as long as it is connected. */
  welcome(hello: Hello, guest: LineGuest): Promise<{ welcome: Welcome; leave(): void }>
  /** Called at the first answer to anybody. */
  answered(): void
  /** Called whenever a line comes or goes. */
  changed(): void
  report(error: unknown): void
}

/** A line that comes again at once has not gone. */
const COMES_BACK_MS = 2000
/** How long a line has to read what was said to it last. */
const GOODBYE_MS = 500

interface KnownLine {
  lineSession: LineSession
  connection: LineConnection
  /** The conversations of its agents, as it was told. */
  places: PlaceTaken[]
  /** Ends it where it may not stay. */
  isStill(): boolean
  go(): void
  forget?: NodeJS.Timeout
  /** Set for a line that went without goodbye, until it is back or has gone. */
  lost?: PromiseWithResolvers<void>
}

/** The door for lines: the MCP server of each agent is here, behind the socket that its line has opened. */
export function openLineDoor({ hub, page, isOwnersKey, welcome, answered, changed, report }: LineDoorParts) {
  const lines = new Map<string, KnownLine>()
  const heirs = createHeirs({ lines: () => lines.values() })
  const beating = setInterval(() => {
    for (const { connection, isStill } of [...lines.values()]) if (isStill()) connection.write({ beat: true })
  }, BEAT_MS).unref()
  return {
    connect,
    count: () => lines.size,
    about: () => [...lines.values()].map(({ lineSession }) => lineSession.about()),
    close,
  }

  /** The returned function hears the frames that follow. */
  function connect(socket: Socket, hello: Hello, guest: LineGuest): Hear {
    const named = lines.get(hello.line)
    const before = named && showsTheSame(named.lineSession.hello, hello) ? named : undefined
    if (!before && !isOwnersKey(hello.key)) mustHaveRoom()
    guest.isLine()
    if (!before) named?.go()
    const places = before?.places ?? []
    clearTimeout(named?.forget)
    const lineSession = before?.lineSession ?? createLineSession({ hello, hub, page, isOwnersKey, heirs, joined })
    // This comes before its old connection ends: deliveries over that must not come back.
    lineSession.remember(hello.slips ?? [])
    before?.lineSession.expectBack()
    before?.connection.end()
    before?.lost?.resolve()
    const connection = openLineConnection(socket, {
      build: (context, calls) =>
        lineSession.build(context, calls, (conversation) => connection.write({ conversation })),
      listening: lineSession.listening,
      dismiss: lineSession.dismiss,
      guest,
      remember: lineSession.remember,
      answered,
      closed,
      report,
    })
    lines.set(hello.line, { lineSession, connection, places, isStill, go })
    for (const place of places) connection.write({ seated: place })
    if (!before) changed()
    if (before) lineSession.isBack()
    void greet().catch(refuse)
    return (frame, weight) => {
      if (isStill()) connection.hear(frame, weight)
    }

    function joined(place: PlaceTaken) {
      places.push(place)
      lines.get(hello.line)?.connection.write({ seated: place })
    }

    async function greet() {
      await lineSession.allowed
      const { welcome: told, leave } = await welcome(hello, guest)
      connection.write({ welcome: told })
      connection.whenClosed(leave)
    }

    /** A line whose token is over loses what it opened by it. One that is another now comes again as that. */
    function isStill(): boolean {
      if (attempt(lineSession.isStill, refuse) === true) return true
      forget()
      return false
    }

    /** The line is gone, or its agent is: without goodbye it may come again. */
    function closed(saidBye: boolean) {
      const line = lines.get(hello.line)
      if (line?.connection !== connection) return
      if (saidBye) return go()
      lineSession.expectBack()
      line.lost = Promise.withResolvers()
      line.forget = setTimeout(go, COMES_BACK_MS)
    }

    /** Its agent may come again by another line. */
    function go() {
      heirs.gone(lineSession)
      forget()
    }

    function forget() {
      const line = lines.get(hello.line)
      lines.delete(hello.line)
      connection.end()
      lineSession.leave()
      line?.lost?.resolve()
      changed()
    }

    function refuse(error: unknown) {
      if (!(error instanceof ParleyError)) return report(error)
      connection.write({ refused: error.message })
      socket.end()
    }
  }

  /** Lines that went and may come back count too, so that nobody has more by coming and going. */
  function mustHaveRoom() {
    const strangers = [...lines.values()].filter(({ lineSession }) => !lineSession.isProven)
    if (strangers.length >= LINK_LIMITS.lines) throw new ParleyError('too_many_lines', { most: LINK_LIMITS.lines })
  }

  /** Stopped lines have been answered before; otherwise calls go on with the next hub. */
  async function close(farewell: Farewell) {
    clearInterval(beating)
    const all = [...lines.values()]
    lines.clear()
    await Promise.all(
      all.map(async ({ lineSession, connection, forget, lost }) => {
        clearTimeout(forget)
        lost?.resolve()
        lineSession.expectBack()
        connection.write({ bye: farewell })
        await connection.farewell(GOODBYE_MS)
        lineSession.leave('returns')
      }),
    )
  }
}

/** A line is recognised by what it came in with, not by its name alone. */
function showsTheSame(before: Hello, { token, key, surface, driven }: Hello): boolean {
  return before.token === token && before.key === key && before.surface === surface && before.driven === driven
}
