import type { Socket } from 'node:net'
import type { Hello } from '../../protocol/frames/link.ts'
import { LINK_FORMAT } from '../../protocol/frames/link-format.ts'
import { jsonIn } from '../../protocol/text/json.ts'
import { VERSION } from '../../protocol/version.ts'

interface EarlyParts {
  isOwnersKey(shown: unknown): boolean
  /** The answer to the first request of a line, where it can be told already. */
  answer(hello: Hello, request: object): object | undefined
}

/** As much is read of a connection before the hub is there: a line's first two frames are shorter. */
const MOST_BYTES = 64 * 1024
const HELLO = '{"hello":'
/** Its line waits for no answer with this id, and passes none on. */
const ANSWERED_ID = 'parley:answered'
const LINE_END = 0x0a

/**
 * Connections that come before there is anybody to hear them. The first request of a line from this same Parley that
 * shows the owner's key may be answered here. The hub hears it too, under another id: its answer goes no further than
 * the line. Everything else is heard by the hub alone, as it was said.
 */
export function createEarlyLines({ isOwnersKey, answer }: EarlyParts) {
  const waiting = new Map<Socket, () => void>()
  const greeted = Promise.withResolvers<void>()
  return {
    came,
    handOver,
    /** Resolves once somebody is answered, waits for the hub, or is gone: nobody who came wants more from here. */
    greeted: greeted.promise,
  }

  function came(socket: Socket) {
    let read: Buffer = Buffer.alloc(0)
    waiting.set(socket, giveBack)
    socket.on('data', hear)
    socket.once('end', forget)
    socket.once('close', forget)

    function hear(chunk: Buffer) {
      read = Buffer.concat([read, chunk])
      const first = read.indexOf(LINE_END)
      const hello = first === -1 ? undefined : helloIn(text(0, first))
      if (first === -1 ? !isHello(read) || read.length > MOST_BYTES : !hello) return giveBack()
      const second = read.indexOf(LINE_END, first + 1)
      if (hello && second !== -1) read = told(hello, first + 1, second)
      if (second !== -1 || read.length > MOST_BYTES) giveBack()
    }

    /** What the hub hears where the request that stands here is answered, or could not be. */
    function told(hello: Hello, from: number, to: number): Buffer {
      const { mcp } = (jsonIn(text(from, to)) ?? {}) as { mcp?: object }
      const known = mcp && answer(hello, mcp)
      if (!known) return read
      socket.write(`${JSON.stringify({ mcp: known })}\n`)
      const again = Buffer.from(JSON.stringify({ mcp: { ...mcp, id: ANSWERED_ID } }))
      return Buffer.concat([read.subarray(0, from), again, read.subarray(to)])
    }

    function text(from: number, to: number): string {
      return read.toString('utf8', from, to)
    }

    /** It is read no further until the hub does. */
    function giveBack() {
      socket.off('data', hear)
      socket.off('end', forget)
      socket.pause()
      if (read.length > 0) socket.unshift(read)
      read = Buffer.alloc(0)
      greeted.resolve()
    }

    function forget() {
      waiting.delete(socket)
      greeted.resolve()
    }
  }

  /** Passes all of them on. */
  function handOver(connect: (socket: Socket) => void) {
    for (const [socket, giveBack] of waiting) {
      giveBack()
      connect(socket)
      socket.resume()
    }
    waiting.clear()
  }

  /** The first frame of a line that was built together with this hub, and of the folder's owner. */
  function helloIn(frame: string): Hello | undefined {
    const { hello } = (jsonIn(frame) ?? {}) as { hello?: Hello }
    const isOurs = hello?.format === LINK_FORMAT && hello.version === VERSION && isOwnersKey(hello.key)
    return isOurs ? hello : undefined
  }
}

function isHello(read: Buffer): boolean {
  const begun = read.toString('latin1', 0, HELLO.length)
  return HELLO.startsWith(begun)
}
