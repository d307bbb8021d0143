import type { Server } from '@modelcontextprotocol/server'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { answering } from '../../../test/support/chat.ts'
import { ENVELOPE, lineInMemory, type Rpc } from '../../../test/support/mcp/line-in-memory.ts'
import { isPlainCall } from './short-way.ts'

const RUNS = process.env.PARLEY_SOAK ? { numRuns: 2000 } : { numRuns: 60, seed: 7 }
const ERAS = ['legacy', 'modern'] as const
const ODD = [undefined, null, 0, 1.5, true, '', 'x', [], {}, { x: 1 }, JSON.parse('{"toString":1}')]

interface Odd {
  jsonrpc: unknown
  method: 'tools/call'
  params?: unknown
}

/** The likely value most of the time, and now and then anything. */
function mostly(...likely: unknown[]) {
  return fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...likely) },
    { weight: 1, arbitrary: fc.constantFrom(...ODD) },
  )
}

const INPUTS = [{ text: 'Going on' }, { title: 'Work' }, {}, { text: '' }, { text: 5 }, { text: 'a', more: 1 }]
const METAS = [
  undefined,
  {},
  { progressToken: 'p' },
  { progressToken: 7 },
  { progressToken: {} },
  { threadId: 'run' },
  { 'claudecode/toolUseId': 'one' },
  { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' },
  { 'io.modelcontextprotocol/related-task': { taskId: 1 } },
]

/** Some of them as its client says it with each request, and others nearly. */
const ENVELOPES = [
  ...Array.from({ length: 6 }, () => ENVELOPE),
  {},
  { ...ENVELOPE, 'io.modelcontextprotocol/logLevel': 'debug' },
  { ...ENVELOPE, 'io.modelcontextprotocol/protocolVersion': '2025-06-18' },
  { ...ENVELOPE, 'io.modelcontextprotocol/clientInfo': { name: 'other' } },
  { ...ENVELOPE, 'io.modelcontextprotocol/clientCapabilities': 5 },
]

const PLAIN = {
  jsonrpc: '2.0',
  method: 'tools/call' as const,
  params: { name: 'send_progress', arguments: { text: 'Still there' } },
}

/** What makes the SDK take a call. */
const ODDLY = {
  legacy: { task: {} },
  modern: { _meta: { ...ENVELOPE, 'io.modelcontextprotocol/logLevel': 'debug' } },
}

const params = fc
  .record(
    {
      name: mostly('send_progress', 'set_title', 'check_messages', 'send.progress', 'nothing'),
      arguments: mostly(...INPUTS, JSON.parse('{"__proto__":{"text":"a"},"text":"b"}')),
      _meta: mostly(...METAS),
      task: mostly(undefined),
      requestState: mostly(undefined),
    },
    { requiredKeys: [] },
  )
  .map((value) => JSON.parse(JSON.stringify(value)))
const request = fc.record(
  {
    jsonrpc: mostly('2.0'),
    method: fc.constant('tools/call' as const),
    params: fc.oneof({ weight: 8, arbitrary: params }, { weight: 1, arbitrary: fc.constantFrom(...ODD) }),
    more: mostly(undefined),
  },
  { requiredKeys: ['jsonrpc', 'method'] },
)

test.each(ERAS)(
  '[M84] the short way of a call answers what the long way answers, and refuses the same in the same words (%s)',
  async (era) => {
    let plain = 0
    const lines = await Promise.all([lineInMemory({ short: true, era }), lineInMemory({ short: false, era })])
    const [short, long] = lines
    let last = 0
    const one = fc.tuple(request, fc.constantFrom(...(era === 'modern' ? ENVELOPES : [{}])))
    await fc.assert(
      fc.asyncProperty(fc.array(one, { minLength: 1, maxLength: 6 }), async (requests) => {
        const calls = requests.map(([one, envelope]) => ({ ...saying(withoutGaps(one), envelope), id: ++last }))
        plain += calls.filter((call) => isPlainCall(call, era === 'modern' ? ENVELOPE : undefined)).length
        const end = `end-${last}`
        for (const line of lines) {
          for (const call of calls) line.say(call)
          line.call(end, 'send_progress', { text: 'The end' })
          await line.answerTo(end)
        }
        expect(written(short.answers.splice(0))).toEqual(written(long.answers.splice(0)))
      }),
      {
        ...RUNS,
        examples: METAS.map((_meta): [[Odd, object][]] => [
          [[{ ...PLAIN, params: { ...PLAIN.params, _meta } }, era === 'modern' ? ENVELOPE : {}]],
        ]),
      },
    )
    expect(plain).toBeGreaterThan(20)
  },
)

test.each(ERAS)('[M84] who waits is told so, and answered, in the same bytes on both ways (%s)', async (era) => {
  const told = [true, false].map(async (short) => {
    const { call, answerTo, answers, view } = await lineInMemory({ short, era })
    const following = answering(view, () => 'Yes')
    onTestFinished(() => following.close())
    const meta = era === 'modern' ? ENVELOPE : {}
    for (const progressToken of ['', 'p', 7]) {
      call(progressToken, 'send_message', { text: 'Deploy?' }, { _meta: { ...meta, progressToken } })
      await answerTo(progressToken)
    }
    expect(answers).toHaveLength(6)
    return answers.map((answer) => JSON.stringify(answer))
  })
  expect(await told[0]).toEqual(await told[1])
})

test('[M84] a plain call never reaches the SDK, and one that is odd does', async () => {
  const passed: unknown[] = []
  const { call, answerTo } = await lineInMemory({ short: true, changed: noting(passed) })
  call(1, 'send_progress', { text: 'Half done' })
  expect(await answerTo(1)).toMatchObject({ result: { structuredContent: {} } })
  call(2, 'set_title', { title: 'Work' }, { task: {} })
  await answerTo(2)
  expect(passed).toEqual([2])
})

test('[M84] in the 2026 era the SDK gets each call whose client is another than that of the last', async () => {
  const passed: unknown[] = []
  const { call, answerTo } = await lineInMemory({ short: true, era: 'modern', changed: noting(passed) })
  expect(passed.splice(0)).toEqual(['first'])
  call(1, 'check_messages')
  await answerTo(1)
  expect(passed).toEqual([])
  const _meta = { ...ENVELOPE, 'io.modelcontextprotocol/clientInfo': { name: 'other', version: '1' } }
  for (const id of [2, 3]) {
    call(id, 'set_title', { title: 'Work' }, { _meta })
    await answerTo(id)
  }
  expect(passed).toEqual([2])
})

test.each(ERAS)('[M85] a call on the short way does not overtake one on the long way (%s)', async (era) => {
  const { call, answerTo, view } = await lineInMemory({ short: true, era })
  call(1, 'send_progress', { text: 'First' }, ODDLY[era])
  call(2, 'send_progress', { text: 'Second' })
  await Promise.all([answerTo(1), answerTo(2)])
  const { entries } = await view.page('work', { limit: 10 })
  expect(entries.flatMap(({ body }) => (body.kind === 'progress' ? body.text : []))).toEqual(['First', 'Second'])
})

test('[M90] a request that the SDK drops without an answer holds no later call off the short way', async () => {
  const passed: unknown[] = []
  const { say, call, answerTo } = await lineInMemory({ short: true, changed: noting(passed) })
  for (const odd of [{ id: 1.5 }, { id: null }, { id: 1, more: true }]) say({ ...PLAIN, ...odd })
  call(2, 'send_progress', { text: 'Half done' })
  expect(await answerTo(2)).toMatchObject({ result: { structuredContent: {} } })
  expect(passed).not.toContain(2)
})

test.each(ERAS)(
  '[M86] a call on the short way is cancelled, and ends with its connection, as any other (%s)',
  async (era) => {
    const { call, say, answers, view, end } = await lineInMemory({ short: true, era })
    call(1, 'send_message', { text: 'Deploy?' })
    await expect.poll(() => view.agentState('work')).toBe('waiting')
    say({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
    await expect.poll(() => view.agentState('work')).not.toBe('waiting')
    call(2, 'send_message', { text: 'And now?' })
    await expect.poll(() => view.agentState('work')).toBe('waiting')
    end()
    await expect.poll(() => view.agentState('work')).not.toBe('waiting')
    expect(answers.filter(({ id }) => id === 1 || id === 2)).toEqual([])
  },
)

test.each([true, false])('[S211] a stranger cannot make a call uncounted by its id (short way: %s)', async (short) => {
  let counted = 0
  const asks = () => {
    counted++
    return () => void counted--
  }
  const { call, say, answerTo, view } = await lineInMemory({ short, asks })
  call(1, 'send_message', { text: 'Deploy?' })
  call(1, 'send_message', { text: 'Really?' })
  await expect.poll(() => view.agentState('work')).toBe('waiting')
  expect(await answerTo(1)).toMatchObject({ error: { message: 'A call with this id still waits for its answer' } })
  for (let n = 0; n < 2; n++) say({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
  await expect.poll(() => view.agentState('work')).not.toBe('waiting')
  expect(counted).toBe(0)
})

test('[M87] what the hub says to a line in one turn leaves in two writes', async () => {
  const { call, answerTo, said } = await lineInMemory({ short: true })
  const before = said()
  for (let n = 1; n <= 20; n++) call(n, 'send_progress', { text: `Step ${n}` })
  await Promise.all(Array.from({ length: 20 }, (_, n) => answerTo(n + 1)))
  // All of them were committed together.
  expect(said().writes - before.writes).toBe(2)
})

/** Notes the calls of tools that the SDK gets. */
function noting(passed: unknown[]) {
  return (server: Server) => {
    const connect = server.connect.bind(server)
    server.connect = async (transport) => {
      await connect(transport)
      const hear = transport.onmessage
      transport.onmessage = (message, extra) => {
        if ('method' in message && message.method === 'tools/call' && 'id' in message) passed.push(message.id)
        hear?.(message, extra)
      }
    }
  }
}

/** The same for a client that names itself, if it can. */
function saying(one: Rpc, envelope: object): Rpc {
  const { params } = one as { params?: { _meta?: unknown } }
  if (typeof params !== 'object' || params === null || Array.isArray(params)) return one
  const { _meta = {} } = params
  if (typeof _meta !== 'object' || Array.isArray(_meta)) return one
  const meta = { ...envelope, ..._meta }
  return Object.keys(meta).length > 0 ? { ...one, params: { ...params, _meta: meta } } : one
}

/** As JSON has it. */
function withoutGaps(value: object): Rpc {
  return JSON.parse(JSON.stringify(value))
}

/** As they go over the wire, the order of their members included. */
function written(answers: Rpc[]): string[] {
  return answers.map((answer) => JSON.stringify(answer)).sort()
}
