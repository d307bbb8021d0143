import { WebSocket } from 'ws'
import { BEFORE_ALL } from '../src/protocol/entry.ts'
import type { TimelineFrame } from '../src/protocol/timeline.ts'
import { backoff } from '../web/src/state/backoff.ts'

/** Comes back as our own page does, after the same waits. */
export function openFaithfulPage(url: string) {
  let attempt = 0
  let socket: WebSocket | undefined
  let retry: NodeJS.Timeout | undefined
  let greet = () => {}
  open()
  return { welcomed, close }

  /** The next time the hub greets it. */
  function welcomed(): Promise<void> {
    return new Promise((resolve) => {
      greet = resolve
    })
  }

  function open() {
    const opening = new WebSocket(`${url}/ws?dialect=timeline`, { perMessageDeflate: false })
    socket = opening
    opening.on('open', () => opening.send(JSON.stringify({ type: 'hello', cursor: BEFORE_ALL })))
    opening.on('message', (data) => {
      const frame: TimelineFrame = JSON.parse(String(data))
      if (frame.type !== 'welcome') return
      attempt = 0
      greet()
    })
    opening.on('error', () => {})
    opening.on('close', () => {
      retry = setTimeout(open, backoff(attempt++))
    })
  }

  function close() {
    clearTimeout(retry)
    socket?.removeAllListeners('close')
    socket?.terminate()
  }
}
