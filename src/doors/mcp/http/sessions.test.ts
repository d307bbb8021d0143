import { Server } from '@modelcontextprotocol/server'
import { expect, onTestFinished, test } from 'vitest'
import { SAME_CALLER } from '../../../../test/support/mcp/same-caller.ts'
import type { Principal } from '../../../protocol/principal.ts'
import { createEventStores } from './event-store.ts'
import { createSessionLimits } from './session-limits.ts'
import { createSessions } from './sessions.ts'

const ADA: Principal = { id: 'ada', name: 'ada', role: 'agent' }
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}

test('[M9] only a stream that is open keeps an idle session: none that was refused, or has ended', async () => {
  const { id, get, reap, closed } = await session()
  const [open, refused] = [await get(), await get()]
  expect([open.status, refused.status]).toEqual([200, 409])
  reap()
  expect(closed).toEqual([])
  refused.end(true)
  await new Promise(setImmediate)
  reap()
  expect(closed).toEqual([])
  open.end(false)
  await new Promise(setImmediate)
  reap()
  expect(closed).toEqual([id])
})

test('[M32] a session that ends gives back what it kept', async () => {
  const { events, request } = await session()
  expect(events.bytes()).toBeGreaterThan(0)
  await request('DELETE')
  expect(events.bytes()).toBe(0)
})

/** A session that is given up as soon as nothing keeps it. */
async function session() {
  const events = createEventStores()
  const closed: string[] = []
  const build = () => new Server({ name: 'test', version: '1' }, { capabilities: {} })
  const sessions = createSessions({
    build,
    events,
    limits: createSessionLimits(),
    requestLimitBytes: 1024 * 1024,
    idleMs: 0,
    closed: (id) => closed.push(id),
  })
  onTestFinished(sessions.close)
  let id: string | undefined
  const opening = await request('POST', INITIALIZE)
  id = opening.headers.get('mcp-session-id') ?? ''
  await opening.text()
  return { id, closed, events, reap: sessions.reap, request, get }

  async function get() {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const { status } = await request('GET', undefined, promise)
    return { status, end: resolve }
  }

  function request(method: string, body?: object, finished: Promise<boolean> = Promise.resolve(true)) {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(id && { 'mcp-session-id': id }),
    }
    return sessions.fetch(new Request('http://localhost/mcp', { method, headers }), body, ADA, {
      finished,
      ...SAME_CALLER,
    })
  }
}
