import type { Socket } from 'node:net'
import { lineWriter, readLines } from '../io/lines.ts'
import type { DeliveredIds, Farewell, FromHub, PlaceTaken, Welcome } from '../protocol/frames/link.ts'
import { MOST_UNREAD } from './client.ts'
import type { Rpc } from './rpc.ts'

/** The hub's answers carry files, and it is trusted: this only keeps a broken one from filling the memory. */
const LONGEST_FRAME = 256 * 1024 * 1024
const MCP = '{"mcp":'
const DELIVERED_IDS = '{"slips":'
const MCP_AFTER = ',"mcp":'

/**
 * How long a hub may say nothing. In ticks of this process: one that slept with its machine has heard nothing either.
 */
export interface Patience {
  tickMs: number
  ticks: number
}

export interface LinkParts {
  socket: Socket
  patience: Patience
  welcome(welcome: Welcome): void
  mcp(raw: string, message: Rpc, delivered?: DeliveredIds[]): void
  refused(sentence: string): void
  /** Called with the conversation that its client speaks in, from now on also with other hubs. */
  settled(conversation: string): void
  /** Called with a conversation that an agent of its client is in now. */
  joined(place: PlaceTaken): void
  /** Whether more waits to be read by the hub than should. */
  full(isFull: boolean): void
  /** The hub does not answer. */
  silent(pid?: number): void
  /** Nothing more comes: act when everything else has been said. */
  lastWords(act: () => void): void
}

/** How a connection ended. */
export interface Ending {
  farewell?: Farewell
  /** Whether the hub said anything, and whether it had let this line in. */
  heard: boolean
  welcomed: boolean
}

export type Link = ReturnType<typeof openLink>

/** One connection to a hub. */
export function openLink({ socket, patience, welcome, mcp, refused, silent, lastWords, full, ...told }: LinkParts) {
  const ending: Ending = { heard: false, welcomed: false }
  const write = lineWriter(socket)
  let pid: number | undefined
  let quietTicks = 0
  let isHeld = false
  const ticking = setInterval(tick, patience.tickMs)
  const ended = new Promise<Ending>((resolve) => {
    socket.on('close', () => {
      clearInterval(ticking)
      full(false)
      resolve(ending)
    })
  })
  socket.on('error', () => socket.destroy())
  socket.on('drain', () => full(false))
  socket.on('end', () => lastWords(() => socket.end()))
  readLines(socket, { limitLength: LONGEST_FRAME, line: hear, tooLong: () => socket.destroy() })
  return { say, takes: () => ending.farewell === undefined && socket.writable, setPaused, bye, ended }

  function say(frame: string) {
    if (!socket.writable) return
    write(frame)
    if (socket.writableLength > MOST_UNREAD) full(true)
  }

  /** Whether nothing is read of what the hub says. */
  function setPaused(held: boolean) {
    isHeld = held
    if (held) socket.pause()
    else socket.resume()
  }

  /** Tells when the hub can know. */
  function bye(said: () => void) {
    socket.on('close', said)
    socket.end('{"bye":true}\n', said)
  }

  function hear(line: string) {
    quietTicks = 0
    ending.heard = true
    if (line.startsWith(MCP)) {
      const raw = line.slice(MCP.length, -1)
      return mcp(raw, JSON.parse(raw))
    }
    if (line.startsWith(DELIVERED_IDS)) {
      const end = line.indexOf(MCP_AFTER)
      const raw = line.slice(end + MCP_AFTER.length, -1)
      return mcp(raw, JSON.parse(raw), JSON.parse(line.slice(DELIVERED_IDS.length, end)))
    }
    const frame = JSON.parse(line) as FromHub
    if ('welcome' in frame) {
      ending.welcomed = true
      pid = frame.welcome.pid
      welcome(frame.welcome)
    } else if ('refused' in frame) refused(frame.refused)
    else if ('conversation' in frame) told.settled(frame.conversation)
    else if ('seated' in frame) told.joined(frame.seated)
    else if ('bye' in frame) ending.farewell = frame.bye
  }

  function tick() {
    // A line that does not listen cannot know that nobody speaks.
    if (isHeld) quietTicks = 0
    if (++quietTicks !== patience.ticks) return
    silent(pid)
    // One that has said nothing at all would not say more to another connection.
    if (ending.heard) socket.destroy()
  }
}
