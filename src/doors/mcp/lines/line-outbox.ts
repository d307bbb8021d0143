import type { Socket } from 'node:net'
import { lineWriter } from '../../../io/lines.ts'
import type { FromHub } from '../../../protocol/frames/link.ts'

type Rpc = Record<string, unknown>

/** A line that has so many bytes to read hears no news in full, and nothing more is begun for it. */
const MOST_UNREAD = 1024 * 1024
/** What tells a client of the 2026 era which of its streams is meant. */
const OF_PROTOCOL = 'io.modelcontextprotocol/'

/**
 * What goes to one line. While it does not read, answers wait, and of notifications only that something changed: each
 * kind once, with the newest that is known. `read` is told when it has read all of it.
 */
export function createOutbox(socket: Socket, read: () => void) {
  const folded = new Map<string, Rpc>()
  const say = lineWriter(socket)
  socket.on('drain', goOn)
  return { write, notify, isFull }

  function write(frame: FromHub) {
    if (!socket.writable || ('beat' in frame && isFull())) return
    say(JSON.stringify(frame))
  }

  function notify(mcp: Rpc) {
    if (!isFull()) return write({ mcp })
    const short = inShort(mcp)
    folded.set(kindOf(short), short)
  }

  function goOn() {
    for (const [kind, mcp] of folded) {
      if (isFull()) return
      folded.delete(kind)
      write({ mcp })
    }
    read()
  }

  /** Nothing is begun for a line that is gone, either: it says again what it still wants. */
  function isFull(): boolean {
    return socket.destroyed || socket.writableLength > MOST_UNREAD
  }
}

/** The notification without its contents: whoever gets it reads them. */
function inShort({ params, ...mcp }: Rpc): Rpc {
  const { messages: _, _meta, ...rest } = (params ?? {}) as Rpc
  const meta = Object.entries(_meta ?? {}).filter(([name]) => name.startsWith(OF_PROTOCOL))
  return { ...mcp, params: meta.length > 0 ? { ...rest, _meta: Object.fromEntries(meta) } : rest }
}

function kindOf({ method, params }: Rpc): string {
  const { uri, progressToken, _meta } = params as Rpc
  return JSON.stringify([method, uri, progressToken, _meta])
}
