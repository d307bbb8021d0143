import { expect, test } from 'vitest'
import { clientIn, isAnswer, isRequest, type Rpc, refusal } from './rpc.ts'
import { createUnanswered } from './unanswered.ts'

function opened() {
  const clock = { now: 0 }
  const unanswered = createUnanswered('line', () => clock.now)
  return { ...unanswered, clock, hear, again: () => unanswered.again().map((frame) => JSON.parse(frame)) }

  function hear(message: object) {
    const rpc = { jsonrpc: '2.0', ...message } as Rpc
    return unanswered.hear(JSON.stringify(rpc), rpc)
  }
}

const answer = (id: number | string, more: object = { result: {} }) => ({ jsonrpc: '2.0', id, ...more }) as Rpc

test('[C68] the handshake is repeated first, whenever it was answered', () => {
  const { hear, again, answered } = opened()
  hear({ id: 1, method: 'tools/list' })
  hear({ id: 2, method: 'initialize' })
  expect(answered(answer(2))).toEqual({ key: 'line:2', since: 0 })
  hear({ method: 'notifications/initialized' })
  hear({ method: 'notifications/progress' })
  expect(again().map(({ mcp }) => mcp.method)).toEqual(['initialize', 'notifications/initialized', 'tools/list'])
})

test('[C68] so it is where it has no answer yet', () => {
  const { hear, again, calls } = opened()
  hear({ id: 1, method: 'tools/list' })
  hear({ id: 2, method: 'initialize' })
  expect(again().map(({ mcp }) => mcp.method)).toEqual(['initialize', 'tools/list'])
  expect(calls().map(({ id }) => id)).toEqual([1, 2])
})

test('[M105] a handshake that was refused is not repeated, and the one before it still is', () => {
  const { hear, again, answered } = opened()
  const error = { code: -32602, message: 'No' }
  hear({ id: 1, method: 'initialize', params: {} })
  answered(answer(1, { error }))
  expect(again()).toEqual([])
  const clientInfo = { name: 'codex', version: '1' }
  hear({ id: 2, method: 'initialize', params: { clientInfo } })
  answered(answer(2))
  hear({ id: 3, method: 'initialize', params: {} })
  const repeated = { id: 'line:again', method: 'initialize', params: { clientInfo } }
  expect(again().map(({ mcp }) => mcp)).toMatchObject([repeated, { id: 3 }])
  answered(answer(3, { error }))
  expect(again().map(({ mcp }) => mcp)).toMatchObject([repeated])
})

test("[C68] a handshake is repeated with an id that is nobody's, however deep it is", () => {
  const { again, answered, ...unanswered } = createUnanswered('line')
  const raw = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":${'{"0":'.repeat(100_000)}0${'}'.repeat(100_000)}} \r`
  unanswered.hear(raw, JSON.parse(raw))
  answered(answer(1))
  expect(again().map((frame) => JSON.parse(frame).mcp)).toMatchObject([{ id: 'line:again', method: 'initialize' }])
})

test('[C68] no answer to what is repeated is taken for that of a call with the same id', () => {
  const { hear, again, answered } = opened()
  hear({ id: 1, method: 'initialize' })
  hear({ id: 2, method: 'resources/subscribe', params: { uri: 'ui://a' } })
  for (const id of [1, 2]) {
    answered(answer(id))
    hear({ id, method: 'tools/call' })
  }
  const ids = again().map(({ mcp }) => mcp.id)
  expect(ids).toEqual([expect.any(String), expect.any(String), 1, 2])
  expect(answered(answer(ids[0]))).toBeUndefined()
  expect(answered(answer(ids[1]))).toHaveProperty('instead')
  for (const id of [1, 2]) expect(answered(answer(id))).toMatchObject({ key: `line:${id + 2}` })
})

test('[C68] whatever ids a client gives, what is repeated has another', () => {
  const { hear, again, answered } = opened()
  hear({ id: 1, method: 'initialize' })
  answered(answer(1))
  const ids = ['parley:again', 'parley:again:0', 'again']
  for (const id of ids) hear({ id, method: 'tools/call' })
  const [handshake, ...calls] = again().map(({ mcp }) => mcp.id)
  expect(calls).toEqual(ids)
  expect(ids).not.toContain(handshake)
  expect(answered(answer(handshake))).toBeUndefined()
})

test('[C69] requests without an answer are repeated with their keys and how long they waited, cancelled ones are not', () => {
  const { hear, again, answered, calls, clock } = opened()
  for (const id of [1, 2, 3]) hear({ id, method: 'tools/call' })
  clock.now = 1500.4
  expect(answered(answer(2))).toEqual({ key: 'line:2', since: 0 })
  expect(answered(answer(2))).toBeUndefined()
  hear({ method: 'notifications/cancelled', params: { requestId: 3 } })
  expect(calls().map(({ id }) => id)).toEqual([1])
  expect(again()).toEqual([{ key: 'line:1', waited_ms: 1500, mcp: { jsonrpc: '2.0', id: 1, method: 'tools/call' } }])
})

test('[C69] a request that is named like a cancel lets no other go unanswered', () => {
  const { hear, answered } = opened()
  hear({ id: 1, method: 'tools/call' })
  hear({ id: 2, method: 'notifications/cancelled', params: { requestId: 1 } })
  for (const id of [2, 1]) expect(answered(answer(id))).toEqual({ key: `line:${id}`, since: 0 })
})

test('[C70] what could not be said is said once to the next hub', () => {
  const { hear, keep, again } = opened()
  keep(hear({ id: 1, method: 'tools/call' }))
  keep(hear({ method: 'notifications/progress' }))
  expect(again().map(({ mcp }) => mcp.method)).toEqual(['tools/call', 'notifications/progress'])
  expect(again().map(({ mcp }) => mcp.method)).toEqual(['tools/call'])
})

test('[C71] subscriptions that were made and not given up are made again, and their client is told to look', () => {
  const { hear, again, answered } = opened()
  const subscribe = (id: number, uri: string) => hear({ id, method: 'resources/subscribe', params: { uri } })
  for (const [id, uri] of ['ui://a', 'ui://b', 'ui://c', 'ui://d'].entries()) subscribe(id, uri)
  for (const id of [0, 1, 3]) answered(answer(id))
  answered(answer(2, { error: {} }))
  hear({ id: 9, method: 'resources/unsubscribe', params: { uri: 'ui://b' } })
  answered(answer(9))
  expect(again().map(({ mcp }) => mcp.params.uri)).toEqual(['ui://a', 'ui://d'])
  const told = answered(answer('line:again:0'))
  expect(told && 'instead' in told && JSON.parse(told.instead)).toEqual({
    jsonrpc: '2.0',
    method: 'notifications/resources/updated',
    params: { uri: 'ui://a' },
  })
  expect(answered(answer('line:again:0'))).toBeUndefined()
  expect(answered(answer('line:again:1', { error: {} }))).toBeUndefined()
  expect(again().map(({ mcp }) => mcp.params.uri)).toEqual(['ui://a'])
})

test('[C71] the same one that is pinned, or for a subscriber with a name, is another', () => {
  const { hear, again, answered } = opened()
  const metas = [
    { 'parley/pinned': true },
    { 'parley/subscriber': 'a' },
    { 'parley/subscriber': 'b' },
    undefined,
    undefined,
  ]
  for (const [id, _meta] of metas.entries()) {
    hear({ id, method: 'resources/subscribe', params: { uri: 'ui://a', _meta } })
    answered(answer(id))
  }
  expect(again().map(({ mcp }) => mcp.params._meta)).toEqual(metas.slice(0, -1))
  hear({ id: 9, method: 'resources/unsubscribe', params: { uri: 'ui://a' } })
  answered(answer(9))
  expect(again()).toEqual([])
})

test('[C65] what is a request and what an answer is told by its id and method', () => {
  const kinds = [{ id: 1, method: 'a' }, { id: 1 }, { method: 'a' }, { id: null, method: 'a' }, { id: null }]
  expect(kinds.map((kind) => isRequest(kind as Rpc))).toEqual([true, false, false, false, false])
  expect(kinds.map((kind) => isAnswer(kind as Rpc))).toEqual([false, true, false, false, false])
  expect(JSON.parse(refusal(null, 'bad_json'))).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32700 } })
})

test('[C60] the name of a client is in its handshake or in each request, where it is a name', () => {
  const named = (params: object) => clientIn({ jsonrpc: '2.0', params } as Rpc)
  expect(named({ clientInfo: { name: 'codex' } })).toBe('codex')
  expect(named({ _meta: { 'io.modelcontextprotocol/clientInfo': { name: 'claude' } } })).toBe('claude')
  expect([named({}), named({ clientInfo: { name: 7 } }), named({ clientInfo: { name: 'a\nb' } })]).toEqual(
    Array(3).fill(undefined),
  )
})
