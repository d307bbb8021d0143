import { expect, test } from 'vitest'
import { ENVELOPE, lineInMemory } from '../../../test/support/mcp/line-in-memory.ts'
import type { Entry } from '../../protocol/entries/entry.ts'

const ERAS = ['legacy', 'modern'] as const
const WAYS = [true, false]

/** What makes the SDK take a call. */
const ODDLY = {
  legacy: { task: {} },
  modern: { _meta: { ...ENVELOPE, 'io.modelcontextprotocol/logLevel': 'debug' } },
}

test.each(ERAS)('[M100] a call on the short way does not overtake one that is being cancelled (%s)', async (era) => {
  const { call, say, answerTo, told } = await tellingLine({ short: true, era })
  call(1, 'send_progress', { text: 'First' }, ODDLY[era])
  say(cancelOf(1))
  call(2, 'send_progress', { text: 'Second' })
  await answerTo(2)
  call(3, 'send_progress', { text: 'Third' })
  await answerTo(3)
  expect(await told()).toEqual(['First', 'Second', 'Third'])
})

test.each(ERAS)('[M100] an id that is used again after a cancel is that of another call (%s)', async (era) => {
  for (const again of [ODDLY[era], {}]) {
    const { call, say, answerTo, told } = await tellingLine({ short: true, era })
    // Each with the key that its line gave it.
    call(1, 'send_progress', { text: 'First' }, ODDLY[era], 'one')
    say(cancelOf(1))
    call(1, 'send_progress', { text: 'Second' }, again, 'two')
    await answerTo(1)
    call(2, 'send_progress', { text: 'Third' })
    await answerTo(2)
    expect(await told()).toEqual(['First', 'Second', 'Third'])
  }
})

test('[M100] an answer brings what it carries, also where its id was cancelled in the same breath', async () => {
  const { call, say, answerTo, view } = await tellingLine({ short: true })
  await view.say('work', { text: 'Stop at noon' })
  call(1, 'send_progress', { text: 'First' }, ODDLY.legacy, 'one')
  say(cancelOf(1))
  call(1, 'check_messages', {}, {}, 'two')
  expect(JSON.stringify(await answerTo(1))).toContain('Stop at noon')
  for (const id of [2, 3]) {
    call(id, 'check_messages')
    await answerTo(id)
  }
  const { entries } = await view.page('work', { limit: 10 })
  expect(entries.map(({ body }) => body.kind)).toContain('receipt')
})

test.each(WAYS)(
  '[M101] a client that says anew who it is has said so for every later call (short way: %s)',
  async (short) => {
    const { call, say, answerTo, entries } = await tellingLine({ short })
    const clientInfo = { name: 'other', version: '1' }
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
    say({ jsonrpc: '2.0', id: 1, method: 'initialize', params })
    call(2, 'send_progress', { text: 'Half done' })
    await answerTo(2)
    expect((await entries()).map(({ body }) => ('by' in body ? body.by : undefined))).toEqual(['other'])
  },
)

test.each(WAYS)(
  '[M102] however deep is what a client says of itself, its calls are answered (short way: %s)',
  async (short) => {
    const { call, answerTo } = await tellingLine({ short, era: 'modern' })
    for (const id of [1, 2, 3]) {
      const more = JSON.parse('['.repeat(200_000) + ']'.repeat(200_000))
      const _meta = { ...ENVELOPE, 'io.modelcontextprotocol/clientInfo': { name: 'codex', version: '1', more } }
      call(id, 'send_progress', { text: 'Half done' }, { _meta })
      expect(await answerTo(id)).toMatchObject({ result: { structuredContent: {} } })
    }
  },
)

test.each(ERAS)(
  '[M103] a request that is none to the SDK is refused, and nobody waits for its answer (%s)',
  async (era) => {
    const { say, answerTo } = await tellingLine({ short: true, era })
    const broken = [
      { params: 5 },
      { params: { _meta: { progressToken: 1.5 } } },
      { more: true },
      { id: 1.5 },
      { id: null },
    ]
    for (const [n, odd] of broken.entries()) {
      const request = { jsonrpc: '2.0', id: n, method: 'tools/call', ...odd }
      say(request)
      expect(await answerTo(request.id)).toMatchObject({
        error: { code: -32600, message: 'A JSON-RPC 2.0 message was expected' },
      })
    }
  },
)

/** What the SDK would drop, and so what would end no call that it has. */
const ODD_CANCELS = [
  { params: { requestId: 1, reason: 5 } },
  { params: { requestId: 1, reason: null } },
  { params: { requestId: 1, _meta: 5 } },
  { more: true },
]

test.each(ERAS)('[M86] whatever is odd about a cancel, it ends its call on both ways (%s)', async (era) => {
  for (const more of [ODDLY[era], {}])
    for (const odd of ODD_CANCELS) {
      let counted = 0
      const { call, say, view } = await lineInMemory({ short: true, era, asks })
      call(1, 'send_message', { text: 'Deploy?' }, more)
      await expect.poll(() => view.agentState('work')).toBe('waiting')
      say({ ...cancelOf(1), ...odd })
      await expect.poll(() => view.agentState('work')).not.toBe('waiting')
      expect(counted).toBe(0)

      function asks() {
        counted++
        return () => void counted--
      }
    }
})

test.each(WAYS)('[M86] a request that is named like a cancel ends nothing (short way: %s)', async (short) => {
  let counted = 0
  const asks = () => {
    counted++
    return () => void counted--
  }
  const { call, say, answerTo, view } = await lineInMemory({ short, asks })
  call(1, 'send_message', { text: 'Deploy?' })
  await expect.poll(() => view.agentState('work')).toBe('waiting')
  say({ ...cancelOf(1), id: 2 })
  expect(await answerTo(2)).toMatchObject({ error: { message: 'Method not found' } })
  expect([counted, view.agentState('work')]).toEqual([1, 'waiting'])
})

async function tellingLine(wanted: Parameters<typeof lineInMemory>[0]) {
  const line = await lineInMemory(wanted)
  return { ...line, entries, told }

  async function entries(): Promise<Entry[]> {
    const { entries } = await line.view.page('work', { limit: 10 })
    return entries.filter(({ body }) => body.kind === 'progress')
  }

  async function told(): Promise<string[]> {
    return (await entries()).flatMap(({ body }) => (body.kind === 'progress' ? body.text : []))
  }
}

function cancelOf(requestId: unknown) {
  return { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } }
}
