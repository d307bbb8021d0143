import type { JSONRPCMessage } from '@modelcontextprotocol/server'
import { expect, test } from 'vitest'
import { createEventStores, FROM_START, type SessionEvents } from './event-store.ts'

const LIMITS = { events: 5, sessionBytes: 1000, totalBytes: 2000 }

test('[M32] all of a message counts: words, data and notifications as well as files', () => {
  const stores = createEventStores(LIMITS)
  const session = stores.open()
  const content = [{ type: 'text', text: 'x'.repeat(100) }]
  const messages: JSONRPCMessage[] = [
    { jsonrpc: '2.0', id: 1, result: { content } },
    { jsonrpc: '2.0', id: 2, result: { structuredContent: { reply: 'ä'.repeat(100) } } },
    { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { messages: ['x'.repeat(100)] } },
    { jsonrpc: '2.0', id: 3, error: { code: 1, message: 'x'.repeat(100) } },
  ]
  for (const message of messages) session.keep('stream', message)
  expect(stores.bytes()).toBe(messages.reduce((sum, message) => sum + Buffer.byteLength(JSON.stringify(message)), 0))
})

test('[M32] a session keeps the newest events, up to its limit in bytes and in number', () => {
  const session = createEventStores(LIMITS).open()
  const first = session.keep('stream', ofBytes(400))
  const second = session.keep('stream', ofBytes(400))
  const third = session.keep('stream', ofBytes(400))
  expect([first, second, third].map(session.streamOf)).toEqual([undefined, 'stream', 'stream'])
  for (let n = 0; n < LIMITS.events; n++) session.keep('stream', ofBytes(50))
  expect([second, third].map(session.streamOf)).toEqual([undefined, undefined])
})

test('[M32] an event that is larger than the limit of its session is not kept, and drives no other out', () => {
  const stores = createEventStores(LIMITS)
  const session = stores.open()
  const small = session.keep('stream', ofBytes(100))
  const large = session.keep('stream', ofBytes(LIMITS.sessionBytes + 1))
  expect([small, large].map(session.streamOf)).toEqual(['stream', undefined])
  expect(kept(session, small)).toEqual([])
  const next = session.keep('stream', ofBytes(100))
  expect(kept(session, small)).toEqual([next])
})

test('[M32] of all sessions together the oldest events go first', () => {
  const stores = createEventStores(LIMITS)
  const [quiet, busy, other] = [stores.open(), stores.open(), stores.open()]
  const old = quiet.keep('stream', ofBytes(900))
  const middle = busy.keep('stream', ofBytes(900))
  expect([quiet.streamOf(old), busy.streamOf(middle)]).toEqual(['stream', 'stream'])
  const young = other.keep('stream', ofBytes(900))
  expect([quiet.streamOf(old), busy.streamOf(middle), other.streamOf(young)]).toEqual([undefined, 'stream', 'stream'])
  expect(stores.bytes()).toBe(1800)
})

test('[M32] a closed session gives everything back, and keeps nothing any more', () => {
  const stores = createEventStores(LIMITS)
  const [closing, staying] = [stores.open(), stores.open()]
  for (let n = 0; n < 4; n++) closing.keep('stream', ofBytes(200))
  const stays = staying.keep('stream', ofBytes(300))
  closing.close()
  closing.keep('stream', ofBytes(200))
  expect([stores.bytes(), staying.streamOf(stays)]).toEqual([300, 'stream'])
})

test('[M32] a stream of notifications resumes from any of its events, kept or not; a stream of answers does not', () => {
  const session = createEventStores(LIMITS).open()
  const told = session.keep('_GET_stream', ofBytes(100))
  const answer = session.keep('answers', ofBytes(100))
  for (let n = 0; n < LIMITS.events; n++) session.keep('others', ofBytes(50))
  const news = session.keep('_GET_stream', ofBytes(100))
  expect([kept(session, FROM_START), kept(session, told), kept(session, news)]).toEqual([[news], [news], []])
  expect(session.streamOf(answer)).toBeUndefined()
  expect(kept(session, answer)).toEqual([])
})

test('[M32] what is kept while a stream is replayed is replayed too', () => {
  const session = createEventStores(LIMITS).open()
  const [first, second] = [session.keep('stream', ofBytes(50)), session.keep('stream', ofBytes(50))]
  const ids: string[] = []
  let third: string | undefined
  for (const [id] of session.after(first)) {
    ids.push(id)
    third ??= session.keep('stream', ofBytes(50))
  }
  expect(ids).toEqual([second, third])
})

function ofBytes(bytes: number): JSONRPCMessage {
  const message = { jsonrpc: '2.0' as const, method: '' }
  return { ...message, method: 'x'.repeat(bytes - JSON.stringify(message).length) }
}

function kept(session: SessionEvents, after: string): string[] {
  return [...session.after(after)].map(([id]) => id)
}
