import type { Client } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { localPrincipal } from '../../src/protocol/principal.ts'
import { openTestHub } from '../support/hub.ts'
import { followed, startGoverned } from '../support/policy/governed.ts'
import { connectTo, said, untilMount } from '../support/upstream/gateway.ts'

type Ended = Awaited<ReturnType<typeof startGoverned>>['ended']

const WRITE = { name: 'diary_write', arguments: { text: 'one' } }

/** Calls and goes away again once a person is asked; done when the hub knows. */
async function callAndLeave(client: Client, { until }: ReturnType<typeof followed>, ended: Ended) {
  const gone = new AbortController()
  const call = client.callTool(WRITE, { signal: gone.signal })
  const { id } = await until('question')
  gone.abort()
  await expect(call).rejects.toThrow()
  await ended('diary_write')
  return id
}

/** All texts of an answer. */
async function texts(client: Client, name: string): Promise<string[]> {
  const { content } = await client.callTool({ name, arguments: {} })
  return (content as { text: string }[]).map(({ text }) => text)
}

test('[Q92] a call that a stop takes away is denied with its words', async () => {
  const { connect, person, written } = await startGoverned()
  const { until } = followed(person)
  const call = (await connect()).callTool(WRITE)
  const { conversation } = await until('question')
  await person.interrupt(conversation, 'Not today')
  await expect(call).rejects.toMatchObject({ code: -32951, message: expect.stringContaining('Not today') })
  expect(written()).toEqual([])
})

test('[G64] a call that is allowed when its caller has gone runs once, and the next call is told so, once', async () => {
  const { connect, person, written, ended } = await startGoverned()
  const log = followed(person)
  const client = await connect()
  const question = await callAndLeave(client, log, ended)
  expect(await texts(client, 'diary_read')).toEqual([''])
  await person.allow(question, undefined)
  const { body } = await log.until('message')
  expect(body).toMatchObject({ author: 'user', by: 'parley' })
  expect(body.text).toMatch(/earlier call of diary_write: person allowed it, and it was carried out. Wrote one/)
  expect((await log.until('tool_result', 2)).body).toMatchObject({ late: true, success: true, call_id: body.call_id })
  expect(written()).toEqual(['{"text":"one"}'])
  expect(await texts(client, 'diary_read')).toEqual(['{"text":"one"}', body.text])
  await log.until('receipt')
  expect(await texts(client, 'diary_read')).toEqual(['{"text":"one"}'])
})

test('[G64] another agent of the same conversation is not told', async () => {
  const tokens = 'ada:human:a-token-of-ada,bot:agent:a-token-of-bot,cat:agent:a-token-of-cat'
  const { connect, person, ended } = await startGoverned({ tokens })
  const log = followed(person)
  const [bot, cat] = [
    await connect('modern', { token: 'a-token-of-bot' }),
    await connect('modern', { token: 'a-token-of-cat' }),
  ]
  await person.deny(await callAndLeave(bot, log, ended), 'No')
  const { body } = await log.until('message')
  expect(await texts(cat, 'diary_read')).toHaveLength(1)
  expect(await texts(bot, 'diary_read')).toEqual(['', body.text])
})

test('[G65] the very same call gets what it would have got, and nothing is told besides', async () => {
  const { connect, person, written, ended } = await startGoverned()
  const log = followed(person)
  const client = await connect()
  await person.allow(await callAndLeave(client, log, ended), undefined)
  await log.until('message')
  expect(await client.callTool(WRITE)).toMatchObject({ content: [{ text: 'Wrote one' }] })
  await log.until('receipt')
  expect(await texts(client, 'diary_read')).toEqual(['{"text":"one"}'])
  expect(written()).toHaveLength(1)
  // From now on it is another call.
  void client.callTool(WRITE).catch(() => {})
  expect((await log.until('question', 2)).body.approval?.tool_name).toBe('diary_write')
})

test('[G63] a call that waits too long for its client is pending, and the same call waits for the same question', async () => {
  const { connect, person, written, url } = await startGoverned({ maxWaitSeconds: 1 })
  const log = followed(person)
  const client = await connect()
  const pending = await client.callTool(WRITE)
  const { id } = await log.until('question')
  expect(pending.isError).toBe(true)
  const [{ text } = { text: '' }] = pending.content as { text: string }[]
  expect(JSON.parse(text)).toMatchObject({ status: 'pending', question_id: id })
  const again = (await connectTo(url)).callTool(WRITE)
  await person.allow(id, undefined)
  expect(await again).toMatchObject({ content: [{ text: 'Wrote one' }] })
  expect(log.entries.filter(({ body }) => body.kind === 'question')).toHaveLength(1)
  expect(written()).toHaveLength(1)
})

test('[G66] an agent with a session in the conversation is told there, and then not at the gateway', async () => {
  const { connect, person, url, ended } = await startGoverned()
  const log = followed(person)
  const client = await connect()
  await person.allow(await callAndLeave(client, log, ended), undefined)
  const { body } = await log.until('message')
  const withSession = await connectTo(url, 'modern', { path: '/mcp/agent?session=chat' })
  const brought = JSON.parse(await said(withSession, 'check_messages')) as { messages: { text: string }[] }
  expect(brought.messages).toMatchObject([{ text: body.text }])
  await log.until('receipt')
  expect(await texts(client, 'diary_read')).toEqual(['{"text":"one"}'])
})

test('[G67] what is allowed while the hub is away runs when it is back, and what had begun is in doubt', async () => {
  const { connect, person, written, data, close, ended } = await startGoverned()
  const log = followed(person)
  const question = await callAndLeave(await connect(), log, ended)
  await close()
  const hub = await openTestHub({ host: '127.0.0.1', port: 0, data })
  await untilMount(hub.gateway, 'diary', ({ state }) => state === 'ready')
  const next = followed(hub.viewOf(localPrincipal('admin')))
  await hub.viewOf(localPrincipal('admin')).allow(question, undefined)
  await next.until('message')
  expect(written()).toHaveLength(1)
  expect(await said(await connectTo(hub.url), 'diary_write', { text: 'one' })).toBe('Wrote one')
  await hub.close()
  expect(written()).toHaveLength(1)
})
