import { request } from 'node:http'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { View } from '../../src/chat/view.ts'
import type { Entry } from '../../src/protocol/entries/entry.ts'
import { localPrincipal } from '../../src/protocol/principal.ts'
import { SOAK } from '../log/contract/place.ts'
import { agentOverHttp, agentOverStdio, type Era } from '../support/agent.ts'
import { nextQuestion, until } from '../support/chat.ts'
import { startHub, temporaryFolder } from '../support/hub.ts'
import { png } from '../support/images.ts'
import { outputSchemas } from '../support/mcp/output-schemas.ts'
import { call } from '../support/mcp/surfaces.ts'
import { openPage, questionOf } from '../support/page.ts'
import { uploaded } from '../support/uploads.ts'

const ERAS: Era[] = ['legacy', 'modern']
/** Of megabytes each. */
const ROUNDS = SOAK > 1 ? 5 : 2

async function openWork() {
  const hub = await startHub()
  const view = hub.chat.as(localPrincipal('admin'))
  return { hub, view, agent: (era?: Era) => agentAt(hub.url, era) }
}

async function agentAt(url: string, era: Era = 'modern'): Promise<Client> {
  const mode = era === 'modern' ? 'auto' : 'legacy'
  const client = new Client(
    { name: 'test-agent', version: '1' },
    { versionNegotiation: { mode }, jsonSchemaValidator: outputSchemas },
  )
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp/agent?session=work`)))
  onTestFinished(() => client.close())
  return client
}

async function approve(agent: Client, input: object, tool_use_id?: string) {
  const result = await agent.callTool({ name: 'approve', arguments: { tool_name: 'Bash', input, tool_use_id } })
  return JSON.parse((result.content as { text: string }[])[0]?.text ?? '')
}

async function openQuestions(view: View, count: number) {
  await until(async () => (await view.conversation('work')).open.length === count)
  return (await view.conversation('work')).open
}

describe('[A23] what is allowed is the one call that was shown, with the arguments that were shown', () => {
  test('two calls whose text begins alike are two cards', async () => {
    const { view, agent } = await openWork()
    const client = await agent()
    const long = 'x'.repeat(5000)
    const calls = [approve(client, { script: `${long}; ls` }), approve(client, { script: `${long}; rm -rf /` })]
    // Calls that are made together come in any order.
    const cards = await openQuestions(view, 2)
    const cardOf = (end: string) => cards.find(({ approval }) => approval?.input.includes(end))?.id ?? ''
    await view.allow(cardOf('; ls'), undefined)
    await view.deny(cardOf('; rm'), undefined)
    expect(await calls[0]).toEqual({ behavior: 'allow', updatedInput: { script: `${long}; ls` } })
    expect(await calls[1]).toMatchObject({ behavior: 'deny' })
  })

  test('identical calls are each decided', async () => {
    const { view, agent } = await openWork()
    const client = await agent()
    const calls = [approve(client, { command: 'ls' }), approve(client, { command: 'ls' })]
    const [one, two] = await openQuestions(view, 2)
    await view.allow(one?.id ?? '', undefined)
    await view.deny(two?.id ?? '', 'Once is enough')
    const verdicts = await Promise.all(calls)
    expect(verdicts.map(({ behavior }) => behavior).sort()).toEqual(['allow', 'deny'])
  })

  test('the same id with other arguments is another call', async () => {
    const { view, agent } = await openWork()
    const client = await agent()
    const first = approve(client, { command: 'ls' }, 'toolu_1')
    await view.allow(await nextQuestion(view), undefined)
    expect(await first).toEqual({ behavior: 'allow', updatedInput: { command: 'ls' } })
    const other = approve(client, { command: 'rm -rf /' }, 'toolu_1')
    await view.deny(await nextQuestion(view), 'Never')
    expect(await other).toEqual({ behavior: 'deny', message: 'Never' })
    expect(await approve(client, { command: 'ls' }, 'toolu_1')).toMatchObject({ behavior: 'allow' })
  })
})

test.each(ERAS)('[A24] a cancelled approve takes its card away (%s)', async (era) => {
  const { view, agent } = await openWork()
  const client = await agent(era)
  const stop = new AbortController()
  const cancelled = client.callTool(
    { name: 'approve', arguments: { tool_name: 'Bash', input: {} } },
    { signal: stop.signal },
  )
  const [card] = await openQuestions(view, 1)
  stop.abort()
  await expect(cancelled).rejects.toThrow()
  await openQuestions(view, 0)
  await expect(view.allow(card?.id ?? '', undefined)).rejects.toMatchObject({ code: 'question_settled' })
})

test.each(ERAS)('[Q19] the words of a stop reach an agent whose next call is approve (%s)', async (era) => {
  const { view, agent } = await openWork()
  const client = await agent(era)
  await call(client, 'send_progress', { text: 'Working' })
  await view.say('work', { text: 'Careful with the data' })
  await view.interrupt('work', 'Run the tests first')
  const verdict = await approve(client, { command: 'deploy' })
  expect(verdict).toMatchObject({ behavior: 'deny', message: expect.stringContaining('Run the tests first') })
  expect((await view.conversation('work')).open).toEqual([])
  expect(await call(client, 'check_messages', {})).toMatchObject({ messages: [{ text: 'Careful with the data' }] })
})

test('[Q9] a 2025-era client whose connection drops while it waits is told the reply again', async () => {
  const { hub, view } = await openWork()
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-06-18',
  }
  const url = `${hub.url}/mcp/agent?session=work`
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test-agent', version: '1' } },
  }
  const opened = await fetch(url, { method: 'POST', headers, body: JSON.stringify(initialize) })
  await opened.text()
  const session = { ...headers, 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' }
  const waiting = request(url, { method: 'POST', headers: session })
  waiting.on('error', () => {})
  waiting.end(tool(2, 'send_message', { text: 'Deploy?' }))
  const question = await nextQuestion(view)
  waiting.destroy()
  // Before the hub can know that nobody is there, what it writes has arrived as far as anybody can tell.
  await until(async () => (await metrics(hub.url)).includes('\nparley_connections 0\n'))
  await view.answer(question, 'Yes, deploy')
  // A call that comes while the answer is still on its way to nobody brings nothing; what came back comes with the next.
  let id = 3
  await until(async () => {
    const next = await fetch(url, { method: 'POST', headers: session, body: tool(id++, 'check_messages', {}) })
    return (await next.text()).includes('Yes, deploy')
  })
  const { replies } = await view.conversation('work')
  expect(replies.recent).toHaveLength(1)
})

async function metrics(url: string): Promise<string> {
  return (await fetch(`${url}/metrics`)).text()
}

function tool(id: number, name: string, input: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: input } })
}

test('[Q9] a stdio call that is cancelled while its files are read leaves the reply to the next', async () => {
  const data = await temporaryFolder()
  const env = { PARLEY_DATA: data, PARLEY_SESSION: 'work' }
  const agent = await agentOverStdio({ args: ['stdio', '--surface', 'agent'], env })
  const url = (await agent.url) ?? ''
  const pictures = Array.from({ length: 5 }, (_, n) => Buffer.concat([png(64, 48), Buffer.alloc(900_000, n)]))
  const files = await Promise.all(
    pictures.map((picture, n) => uploaded(url, new Uint8Array(picture), { name: `${n}.png`, mime: 'image/png' })),
  )
  const page = openPage(url)
  // Until the answer takes long enough to be cancelled on its way; each round costs a few milliseconds.
  for (let round = 0; round < ROUNDS; round++) {
    const stop = new AbortController()
    const waiting = agent.call({ text: `Round ${round}?` }, { signal: stop.signal }).catch(() => 'cancelled')
    await page.answer(await questionOf(page, `Round ${round}?`), `Reply ${round}`, files)
    stop.abort()
    const brought = JSON.stringify([await waiting, await call(agent.client, 'check_messages', {})])
    expect(brought).toContain(`Reply ${round}`)
  }
})

test('[Q18] an agent that runs again in the same session is not given the answer of its last run', async () => {
  const data = await temporaryFolder()
  const env = { PARLEY_DATA: data, PARLEY_SESSION: 'work' }
  const first = await agentOverStdio({ env })
  const page = openPage((await first.url) ?? '')
  const reply = first.ask('Shall I begin?')
  const asked = await questionOf(page, 'Shall I begin?')
  await page.answer(asked, 'Yes, today')
  expect(await reply).toBe('Yes, today')
  await first.client.close()
  const second = await agentOverStdio({ env })
  const later = openPage((await second.url) ?? '')
  const answer = second.ask('Shall I begin?')
  const again = ({ id, body }: Entry) => id > asked && body.kind === 'question'
  await later.answer((await later.until(() => later.entries.find(again))).id, 'No, tomorrow')
  expect(await answer).toBe('No, tomorrow')
})

test('[Q11] after a restart an agent that has its answer is not said to have one open', async () => {
  const data = await temporaryFolder()
  const hub = await startHub(data)
  const agent = await agentOverHttp(hub.url)
  const waiting = agent.call({ text: 'Deploy?' }).catch(() => undefined)
  const question = await nextQuestion(hub.chat.as(localPrincipal('admin')))
  await hub.close()
  await waiting
  const next = await startHub(data)
  const view = next.chat.as(localPrincipal('admin'))
  const back = await agentOverHttp(next.url)
  const reply = back.call({ text: 'Deploy?' })
  await until(() => view.agentState('work') === 'waiting')
  await view.answer(question, 'Yes')
  expect((await reply).reply).toBe('Yes')
  expect(view.agentState('work')).toBe('working')
})
