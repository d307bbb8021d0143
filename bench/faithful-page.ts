import { WebSocket } from 'ws'
import { backoff } from '../web/src/state/hub/backoff.ts'

/** While one hub is gone and the next is not there yet. */
const NOBODY_THERE = ['ECONNREFUSED', 'ECONNRESET']

/** Comes back as our own page does, after the same waits. */
export function openFaithfulPage(url: string) {
  let attempt = 0
  let cursor: string | undefined
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
    opening.on('open', () => opening.send(JSON.stringify({ type: 'hello', cursor })))
    opening.on('message', (data) => {
      const frame = JSON.parse(String(data))
      if (frame.type !== 'welcome') return
      cursor = frame.cursor
      attempt = 0
      greet()
    })
    opening.on('error', (error: NodeJS.ErrnoException) => {
      if (!NOBODY_THERE.includes(error.code ?? '')) throw error
    })
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
