import { once } from 'node:events'
import { onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import type { Frame } from './socket.ts'

/** What an upgrade is answered with, and the frames that follow if it is let in. */
export async function upgrade(
  url: string,
  path: string,
  headers: Record<string, string> = {},
  protocols: string[] = [],
) {
  const ws = new WebSocket(url.replace('http', 'ws') + path, protocols, { headers })
  onTestFinished(() => ws.terminate())
  const frames: Frame[] = []
  ws.on('message', (data) => frames.push(JSON.parse(String(data))))
  ws.on('error', () => {})
  const refused = once(ws, 'unexpected-response').then(async ([, response]) => {
    let body = ''
    for await (const chunk of response) body += chunk
    return { status: response.statusCode as number, error: JSON.parse(body).error as string }
  })
  const opened = once(ws, 'open').then(() => ({ status: 101, error: '' }))
  return { ...(await Promise.race([refused, opened])), ws, say, next }

  function say(frame: unknown) {
    ws.send(JSON.stringify(frame))
  }

  async function next(type: string): Promise<Frame> {
    for (;;) {
      const frame = frames.shift()
      if (frame?.type === type) return frame
      if (!frame) await once(ws, 'message')
    }
  }
}
