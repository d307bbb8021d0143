import type { WebSocket } from 'ws'
import { atEndOfTurn } from '../../io/turn.ts'
import { ERRORS, type ErrorCode, type ParleyError } from '../../protocol/errors.ts'
import { refusalFor } from '../../protocol/refusal.ts'
import { joined, wireFrame, wireOf } from './wire.ts'

export type Socket = ReturnType<typeof createSocket>

interface SocketParts {
  ws: WebSocket
  heartbeatMs: number
  /**
   * Beyond this, nothing more is produced for the client until it has read what it was sent, or taken of it until that
   * is done.
   */
  highWaterBytes: number
  /** Answers one frame; what it throws goes to `refuse`. */
  receive(text: string, isBinary: boolean): void | Promise<void>
  refuse(error: ParleyError, text: string): void
  /** The client did not answer the heartbeat and is disconnected. */
  slow(): void
  report(error: unknown): void
}

/** One WebSocket: frames in and out, heartbeat, and no more in memory than the client reads. */
export function createSocket({ ws, heartbeatMs, highWaterBytes, receive, refuse, slow, report }: SocketParts) {
  const wire = wireOf(ws)
  const { OPEN } = ws
  /** Frames for the next write. */
  let soon: Buffer | undefined
  let alive = true
  let pauses = 0
  let undone = 0
  const heartbeat = setInterval(beat, heartbeatMs)
  ws.on('pong', () => {
    alive = true
  })
  ws.on('message', (data, isBinary) => void hear(String(data), isBinary))
  // ws closes the connection itself, with the right code, on what it cannot read.
  ws.on('error', () => {})
  ws.on('close', () => clearInterval(heartbeat))
  return {
    send,
    sendSoon,
    behind,
    end,
    onClose: (listener: (code: number) => void) => ws.on('close', listener),
  }

  /**
   * Text of this client alone, or a frame of many clients as it goes over the wire. Pending while too much is unread.
   */
  function send(frame: string | Buffer): void | Promise<void> {
    if (ws.readyState !== OPEN) return
    const text = typeof frame === 'string' ? wireFrame(frame) : frame
    const bytes = soon ? joined(soon, text) : text
    soon = undefined
    if (wire.writableLength < highWaterBytes) {
      wire.write(bytes)
      return
    }
    pause()
    return new Promise((resolve) => {
      wire.write(bytes, () => {
        release()
        resolve()
      })
    })
  }

  /** At the end of the turn, or right before what is sent at once: an agent has its own answer by then. [M109] */
  function sendSoon(frame: Buffer): void | Promise<void> {
    if (wire.writableLength >= highWaterBytes) return send(frame)
    if (!soon) atEndOfTurn(flush)
    soon = soon ? joined(soon, frame) : frame
  }

  function flush() {
    const frames = soon
    soon = undefined
    if (frames) void send(frames)
  }

  function behind(): Promise<void> | undefined {
    if (ws.readyState !== OPEN || wire.writableLength === 0) return undefined
    return new Promise((resolve) => void wire.write('', () => resolve()))
  }

  function end(code: ErrorCode) {
    const { text, close } = ERRORS[code] as { text: string; close?: number }
    flush()
    ws.close(close ?? 1011, text)
  }

  async function hear(text: string, isBinary: boolean) {
    undone += text.length
    const isMuch = undone > highWaterBytes
    if (isMuch) pause()
    try {
      await receive(text, isBinary)
    } catch (error) {
      refuse(refusalFor(error, report), text)
    } finally {
      undone -= text.length
      if (isMuch) release()
    }
  }

  /** Hears nothing more, until everything that wants so has let go. */
  function pause() {
    if (pauses++ === 0) ws.pause()
  }

  function release() {
    if (--pauses === 0) ws.resume()
  }

  /** No answer since the last beat: the client is gone, or so far behind that it must resume. */
  function beat() {
    if (!alive) {
      slow()
      end('too_slow')
      ws.terminate()
      return
    }
    alive = false
    ws.ping()
  }
}
