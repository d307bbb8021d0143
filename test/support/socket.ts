import { once } from 'node:events'
import { onTestFinished } from 'vitest'
import { WebSocket } from 'ws'

export type Frame = { type: string } & Record<string, unknown>

export type Client = Awaited<ReturnType<typeof connect>>

/** A WebSocket client that keeps what it was sent until the test asks for it. */
export async function connect(url: string, path = '/ws', protocols?: string[], headers: Record<string, string> = {}) {
  const ws = new WebSocket(url.replace('http', 'ws') + path, protocols, { headers })
  const frames: Frame[] = []
  let wake = () => {}
  ws.on('message', (data) => {
    frames.push(JSON.parse(String(data)))
    wake()
  })
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    ws.on('close', (code, reason) => {
      resolve({ code, reason: String(reason) })
      wake()
    })
  })
  onTestFinished(() => ws.terminate())
  await once(ws, 'open')
  return { ws, frames, closed, any, next, say }

  /** The next frame of this type; frames of other types before it are dropped. */
  async function next(type: string): Promise<Frame> {
    for (;;) {
      const frame = await any(type)
      if (frame.type === type) return frame
    }
  }

  async function any(awaited = 'a frame'): Promise<Frame> {
    for (;;) {
      const frame = frames.shift()
      if (frame) return frame
      if (ws.readyState !== ws.OPEN) throw new Error(`Closed while waiting for ${awaited}`)
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }

  function say(frame: unknown) {
    ws.send(typeof frame === 'string' ? frame : JSON.stringify(frame))
  }
}

/** The first message of an agent in this client's conversation, which may have been there before the client. */
export async function firstMessage(client: Client): Promise<Frame & { text: string; ack_id: string }> {
  const { history } = await client.next('connected')
  const [first = await client.next('agentMessage')] = history as Frame[]
  return first as Frame & { text: string; ack_id: string }
}

/** A page's connection: greeted, and past its first frames. */
export async function connectPage(
  url: string,
  hello: { cursor?: string; conversation?: string } = {},
  headers: Record<string, string> = {},
) {
  const client = await connect(url, '/ws?dialect=timeline', undefined, headers)
  client.say({ type: 'hello', ...hello })
  return { ...client, welcome: await client.next('welcome') }
}
