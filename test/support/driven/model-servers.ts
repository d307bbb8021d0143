import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { anthropicEvents } from '../models/anthropic-wire.ts'
import { geminiEvents } from '../models/gemini-wire.ts'
import { openaiEvents } from '../models/openai-wire.ts'
import type { Reply } from '../models/reply.ts'
import { responsesEvents } from '../models/responses-wire.ts'

export const FAMILIES = ['anthropic', 'openai'] as const
export type Family = (typeof FAMILIES)[number]
/** How a model speaks: to what we drive ourselves, or to the programs of others. */
export type Wire = Family | 'responses' | 'gemini'

const EVENTS: Record<Wire, (reply: Reply) => Record<string, unknown>[]> = {
  anthropic: anthropicEvents,
  openai: openaiEvents,
  responses: responsesEvents,
  gemini: geminiEvents,
}

/** What a request said, whatever the family. */
export interface Asked {
  path: string
  headers: IncomingMessage['headers']
  body: { model: string; messages: { role: string; content: unknown }[]; tools?: unknown[]; [name: string]: unknown }
  /** Resolves when its connection is gone. */
  closed: Promise<unknown>
}

/** A service of models that answers what the script says: one reply for each request, or what it finds for it. */
export async function startModelServer(wire: Wire, script: Reply[] | ((body: Asked['body']) => Reply | undefined)) {
  const asked: Asked[] = []
  const waiting: (() => void)[] = []
  const server = createServer(async (request, response) => {
    const closed = once(response, 'close')
    // Some look first whether somebody is there.
    if (request.method !== 'POST') return response.writeHead(404).end()
    const body = (await json(request)) as Asked['body']
    asked.push({ path: request.url ?? '', headers: request.headers, body, closed })
    for (const wake of waiting.splice(0)) wake()
    const reply = typeof script === 'function' ? script(body) : script[asked.length - 1]
    await answer(wire, response, reply ?? { refuse: { status: 400, message: 'The script is over' } })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as { port: number }
  return { url: `http://127.0.0.1:${port}/v1`, asked, requests }

  /** Resolves when so many have come. */
  async function requests(count: number): Promise<void> {
    while (asked.length < count) await new Promise<void>((resolve) => waiting.push(resolve))
  }
}

async function answer(wire: Wire, response: ServerResponse, reply: Reply) {
  if (reply.refuse) {
    const { status, message, code = 'invalid_request_error', headers } = reply.refuse
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify({ type: 'error', error: { type: code, code, message } }))
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  // Each on its way before the next, so that a cut comes behind what was said.
  for (const event of EVENTS[wire](reply)) await new Promise((sent) => response.write(frame(wire, event), sent))
  if (reply.cut === 'broken') response.destroy()
  else if (!reply.hang) response.end(wire === 'openai' && !reply.cut ? 'data: [DONE]\n\n' : '')
}

function frame(wire: Wire, event: Record<string, unknown>): string {
  const name = wire === 'anthropic' || wire === 'responses' ? `event: ${event.type}\n` : ''
  return `${name}data: ${JSON.stringify(event)}\n\n`
}
