import { expect, test } from 'vitest'
import { openLog } from '../../src/chat/conversation/open-log.ts'
import { auditedCalls } from '../../src/governance/audit/calls.ts'
import type { AuditedCall } from '../../src/protocol/tools/audit.ts'
import { followed, startGoverned } from '../support/policy/governed.ts'
import { connectPage } from '../support/socket.ts'
import { connectTo } from '../support/upstream/gateway.ts'

const REFUSED = /The gateway alone tells what becomes of the call .+; use an id of your own/
const KEY = 'must not begin with call:, result: or tell:'

/** A call that a person is asked about, and who wants to tell other things of it. */
async function askedCall(phase: 'asked' | 'running' | 'over' | 'withdrawn') {
  const { connect, person, url, data, close, written } = await startGoverned()
  const log = followed(person)
  const agent = await connect()
  const hold = phase === 'running'
  const call = agent.callTool({ name: 'diary_write', arguments: { text: 'one', hold } }).catch((error: Error) => error)
  const { id, conversation, body } = await log.until('question')
  const call_id = body.approval?.call_id ?? ''
  if (phase === 'withdrawn') await person.interrupt(conversation, 'Not today')
  else if (phase !== 'asked') await person.allow(id, undefined)
  if (phase === 'running') await log.until('tool_call')
  if (phase === 'over' || phase === 'withdrawn') await call
  return { url, conversation, call_id, log, data, close, written, id, person, call }
}

function rest(url: string, event: object) {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(event) }
  return fetch(`${url}/api/tools/chat_assistant_event`, init).then((answer) => answer.text())
}

async function audited(data: string): Promise<AuditedCall[]> {
  const log = await openLog(data)
  try {
    return await Array.fromAsync(auditedCalls(log))
  } finally {
    await log.close()
  }
}

test.each(['asked', 'running', 'over'] as const)(
  '[G190] nobody else tells of a call that is %s, over MCP or REST',
  async (phase) => {
    const { url, conversation: session_id, call_id, log } = await askedCall(phase)
    const call = { type: 'tool_call', tool_name: 'diary_write', tool_args: '{"text":"harmless"}', call_id, session_id }
    const result = { type: 'tool_result', tool_name: 'diary_write', result: 'Fine', success: true, call_id, session_id }
    for (const event of [call, result]) {
      expect(await rest(url, event)).toMatch(REFUSED)
      for (const path of ['/mcp/gateway', '/mcp/assistant']) {
        const other = await connectTo(url, 'modern', { path })
        const { isError, content } = await other.callTool({ name: 'chat_assistant_event', arguments: event })
        expect([isError, content]).toMatchObject([true, [{ text: expect.stringMatching(REFUSED) }]])
      }
    }
    expect(log.entries.filter(({ body }) => 'tool_name' in body && !('server' in body))).toEqual([])
  },
)

test('[G190] nobody takes the key of a result before it is there, over MCP, REST or WebSocket', async () => {
  const { url, conversation, call_id, log, id, person, call } = await askedCall('asked')
  const page = await connectPage(url)
  for (const key of [`result:${call_id}`, `tell:${call_id}`, 'call:line:1']) {
    const event = { type: 'progress', text: 'Mine', session_id: conversation, key }
    expect(await rest(url, event)).toContain(KEY)
    const agent = await connectTo(url, 'modern', { path: '/mcp/assistant' })
    const { content } = await agent.callTool({ name: 'chat_assistant_event', arguments: event })
    expect(content).toMatchObject([{ text: expect.stringContaining(KEY) }])
    page.say({ type: 'post', key, conversation, text: 'Mine' })
    expect(await page.next('refused')).toMatchObject({ error: expect.stringContaining(KEY) })
  }
  await person.allow(id, undefined)
  expect(await call).toMatchObject({ content: [{ text: 'Wrote one' }] })
  expect((await log.until('tool_result')).body).toMatchObject({ result: 'Wrote one', call_id })
})

test('[G191] the audit tells what was asked for and came of it, also where an agent tells of the same id', async () => {
  const { url, conversation: session_id, call_id, id, data, close } = await askedCall('withdrawn')
  // What was withdrawn is over, and no result of it will come.
  for (const name of [call_id, id]) {
    const told = { tool_name: 'diary_write', call_id: name, session_id }
    await rest(url, { type: 'tool_call', tool_args: '{"text":"harmless"}', ...told })
    await rest(url, { type: 'tool_result', result: 'Fine', success: true, ...told })
  }
  await close()
  const calls = await audited(data)
  expect(calls.find(({ decision }) => decision === 'withdrawn')).toMatchObject({
    server: 'diary',
    arguments: '{"text":"one","hold":false}',
  })
  expect(calls.filter(({ decision }) => decision === 'told')).toHaveLength(2)
  expect(calls.filter(({ result }) => result === 'Fine').map(({ decision }) => decision)).toEqual(['told', 'told'])
})
