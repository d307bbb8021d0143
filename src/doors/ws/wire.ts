import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'

const FINAL_TEXT = 0x81
const SHORT_LIMIT = 126
const MEDIUM_LIMIT = 65_536

/**
 * One whole text frame, ready to be written to any number of clients. `ws` has no public way to send such bytes and
 * builds a header and two objects for every socket instead, which is most of what a broadcast costs it.
 */
export function wireFrame(text: string): Buffer {
  const length = Buffer.byteLength(text)
  const start = length < SHORT_LIMIT ? 2 : length < MEDIUM_LIMIT ? 4 : 10
  // The pool is not used: a frame is kept as long as its entry, and would keep 64 KB of others with it.
  const frame = Buffer.allocUnsafeSlow(start + length)
  frame[0] = FINAL_TEXT
  frame[1] = start === 2 ? length : start === 4 ? 126 : 127
  if (start === 4) frame.writeUInt16BE(length, 2)
  if (start === 10) frame.writeBigUInt64BE(BigInt(length), 2)
  frame.write(text, start)
  return frame
}

/** Frames for one write: each write costs a system call. */
export function inOne(frames: Buffer[]): Buffer {
  const [first] = frames
  if (first && frames.length === 1) return first
  const all = Buffer.allocUnsafeSlow(frames.reduce((bytes, { length }) => bytes + length, 0))
  let at = 0
  for (const frame of frames) at += frame.copy(all, at)
  return all
}

const joins = new WeakMap<Buffer, { first: Buffer; both: Buffer }>()

/** Two frames for one write, joined once for all clients that are sent the two. */
export function joined(first: Buffer, second: Buffer): Buffer {
  const known = joins.get(second)
  if (known?.first === first) return known.both
  const both = inOne([first, second])
  joins.set(second, { first, both })
  return both
}

/**
 * The stream for frames of an open connection. Writing past `ws` keeps their order only as long as `ws` itself holds
 * nothing back, so never with permessage-deflate, which the door does not offer.
 */
export function wireOf(ws: WebSocket): Duplex {
  return (ws as unknown as { _socket: Duplex })._socket
}
