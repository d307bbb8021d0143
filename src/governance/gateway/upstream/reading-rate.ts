import type { Readable } from 'node:stream'
import type { MountLog } from '../mounts/mount-log.ts'

export interface MostASecond {
  bytes: number
  /** Members of lists and objects: each costs far more than its bytes. */
  values: number
  /** Those that answer nothing: each is looked at, and may be told to many. */
  messages: number
}

const COMMA = 0x2c
const SECOND_MS = 1000

export type ReadingRate = ReturnType<typeof createReadingRate>

/** How much of what a server sends is read in each second. The rest waits, so that others are not held up by it. */
export function createReadingRate(most: MostASecond, log: Pick<MountLog, 'tell'>) {
  let [since, bytes, values, messages] = [0, 0, 0, 0]
  let isTold = false
  return {
    pauseAfter,
    /** The last piece had a message that nobody waits for. */
    said: () => void messages++,
  }

  /** The milliseconds for which nothing more is read after this. */
  function pauseAfter(chunk: Uint8Array): number {
    const now = performance.now()
    if (now - since >= SECOND_MS) [since, bytes, values, messages] = [now, 0, 0, 0]
    bytes += chunk.length
    values += commasIn(chunk)
    if (bytes <= most.bytes && values <= most.values && messages <= most.messages) return 0
    if (!isTold) log.tell('it sends more than is read in a second; the rest waits')
    isTold = true
    return since + SECOND_MS - now
  }
}

/** Short, so that what is in one of them takes no time. */
const PIECE_BYTES = 8 * 1024

/** Reads what a stream brings in short pieces, and waits between two of them as long as the rate wants. */
export function readAtRate(stream: Readable, rate: ReadingRate, read: (piece: Buffer) => void) {
  const unread: Buffer[] = []
  let waiting: NodeJS.Timeout | undefined
  stream.on('data', hear)
  return { rest }

  function hear(chunk: Buffer) {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) unread.push(chunk.subarray(at, at + PIECE_BYTES))
    if (!waiting) goOn()
  }

  function goOn() {
    if (waiting) stream.resume()
    waiting = undefined
    for (let piece = unread.shift(); piece; piece = unread.shift()) {
      read(piece)
      const pauseMs = rate.pauseAfter(piece)
      if (pauseMs === 0) continue
      stream.pause()
      waiting = setTimeout(goOn, pauseMs).unref()
      return
    }
  }

  /** Nothing more comes: what is left is read at once. */
  function rest() {
    clearTimeout(waiting)
    for (const piece of unread.splice(0)) read(piece)
  }
}

function commasIn(chunk: Uint8Array): number {
  let commas = 0
  for (const byte of chunk) if (byte === COMMA) commas++
  return commas
}
