import { once } from 'node:events'
import { WebSocket } from 'ws'

export type Json = Record<string, unknown>
export type Mcp = ReturnType<typeof mcpAt>
export type Socket = Awaited<ReturnType<typeof openSocket>>

const VERSION = '2026-07-28'
const META = {
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientInfo': { name: 'recorder', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** A client of one MCP surface that knows nothing but the wire; answers are texts, as they came. */
export function mcpAt(url: string, surface: string, query = '') {
  return { call, request }

  function call(name: string, input: Json = {}): Promise<string> {
    return request('tools/call', { name, arguments: input }, name)
  }

  async function request(method: string, params: Json = {}, name?: string): Promise<string> {
    const response = await fetch(`${url}/mcp/${surface}${query}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': VERSION,
        'mcp-method': method,
        ...(name && { 'mcp-name': name }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: META } }),
    })
    return resultIn(await response.text())
  }
}

/** The result of an answer that is one message, or a stream of events of which the last is it. */
function resultIn(text: string): string {
  const messages = text.startsWith('{') ? [text] : text.split('\n').filter((line) => line.startsWith('data: {'))
  return (messages.at(-1) ?? text).replace('data: ', '')
}

/** A WebSocket client of one dialect, and every text that it was sent. */
export async function openSocket(url: string, dialect: string) {
  const ws = new WebSocket(`${url.replace('http', 'ws')}/ws?dialect=${dialect}`)
  const frames: string[] = []
  let wake = () => {}
  ws.on('message', (data) => {
    frames.push(String(data))
    wake()
  })
  await once(ws, 'open')
  return { frames, say, until, close: () => ws.terminate() }

  function say(frame: Json) {
    ws.send(JSON.stringify(frame))
  }

  /** The first frame that has all these words, which may have come already; entries alone are no answer to a key. */
  async function until(...words: string[]): Promise<string> {
    const isIt = (frame: string) => words.every((word) => frame.includes(word))
    const isAnswer = words[0]?.startsWith('"key"')
    for (;;) {
      const found = frames.find((frame) => isIt(frame) && !(isAnswer && frame.startsWith('{"type":"entries"')))
      if (found !== undefined) return found
      await new Promise<void>((resolve) => (wake = resolve))
    }
  }
}

/** What is of one run alone: ids by the order in which they come, and times. */
export function withoutRun(texts: string[]): string[] {
  const ids = new Map<string, string>()
  const numbered = (id: string) => ids.get(id) ?? ids.set(id, `#${ids.size + 1}`).get(id) ?? id
  return texts.map((text) =>
    text
      .replaceAll(/\b\d{16}\b/g, numbered)
      .replaceAll(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, numbered)
      .replaceAll(/\b1[78]\d{11}\b/g, 'time')
      .replaceAll(/\b20\d\d-\d\d-\d\dT[\d:.]+Z/g, 'time')
      .replaceAll(/http:\/\/[\w.]+:\d+/g, 'address'),
  )
}
