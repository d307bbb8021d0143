import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { onTestFinished } from 'vitest'
import type { Driven, Partial, Runner } from '../../../src/protocol/frames/driving.ts'
import { call } from '../mcp/surfaces.ts'

export const RUNNER: Runner = { name: 'tests', folder: '/home/ada/shop', agent: 'scripted', max_sessions: 4 }

/** A process that drives agents: an MCP client that is shown as bob, with the name of its own that a holder has. */
export async function connectRunner(url: string, holder = 'run-1') {
  const client = new Client({ name: 'bob', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp/orchestrator`)))
  onTestFinished(() => client.close())
  const does = (tool: string, input: object) => call(client, tool, { holder, ...input })
  return {
    does,
    offer: (runner: object = {}) => does('offer_runner', { runner: { ...RUNNER, ...runner } }),
    withdraw: (name = RUNNER.name) => does('withdraw_runner', { name }),
    acquire: (session_id = 'work') => does('hold_conversation', { session_id }),
    release: (session_id = 'work') => does('release_conversation', { session_id }),
    show: (driven: Driven, session_id = 'work') => does('show_driven', { session_id, driven }),
    grow: (partials: Partial[], gone?: string[], session_id = 'work') =>
      does('show_partial', { session_id, partials, gone }),
    says: (content: string, key?: string, session_id = 'work') =>
      call(client, 'chat_assistant_post', { session_id, mime: 'text/markdown', content, key }),
    tells: (event: object, session_id = 'work') => call(client, 'chat_assistant_event', { session_id, ...event }),
    yields: (session_id = 'work') => call(client, 'yield_turn', { session_id }),
  }
}

export function growing(id: string, from: number, text: string): Partial {
  return { id, kind: 'message', from, text }
}
