import type { Client } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { localPrincipal } from '../../src/protocol/principal.ts'
import { openTestHub } from '../support/hub.ts'
import { followed, startGoverned } from '../support/policy/governed.ts'
import { painted } from '../support/upstream/diary-server.ts'
import { connectTo } from '../support/upstream/gateway.ts'

const PAINT = { name: 'diary_paint', arguments: { text: 'Sea' } }
const { content: [text, image, link] = [], structuredContent } = painted('Sea')
const WHOLE = { content: [text, image, { ...link, uri: 'gateway://diary/memo://one' }], structuredContent }

/** What its server says of itself besides is no part of a result. */
async function painting(client: Client) {
  const { _meta, ...result } = await client.callTool(PAINT)
  return result
}

/** Its client knows the schema of its results, calls, and goes away again. */
async function paintAndLeave(client: Client, log: ReturnType<typeof followed>, ended: (tool: string) => Promise<void>) {
  await client.listTools()
  const gone = new AbortController()
  const call = client.callTool(PAINT, { signal: gone.signal })
  const { id } = await log.until('question')
  gone.abort()
  await expect(call).rejects.toThrow()
  await ended('diary_paint')
  return id
}

test.each(['modern', 'legacy'] as const)('[G195] a late result is whole and fits its tool, once (%s)', async (era) => {
  const { connect, person, written, ended } = await startGoverned()
  const log = followed(person)
  const client = await connect(era)
  await person.allow(await paintAndLeave(client, log, ended), undefined)
  expect((await log.until('message')).body.attachments).toHaveLength(2)
  expect(await painting(client)).toEqual(WHOLE)
  await log.until('receipt')
  expect((await client.callTool({ name: 'diary_read', arguments: {} })).content).toHaveLength(1)
  expect(written()).toHaveLength(1)
})

test('[G195] so it is from a hub that came later', async () => {
  const { connect, person, close, ended, data } = await startGoverned()
  const log = followed(person)
  const question = await paintAndLeave(await connect(), log, ended)
  await person.allow(question, undefined)
  await log.until('message')
  await close()
  const hub = await openTestHub({ host: '127.0.0.1', port: 0, data })
  try {
    const next = followed(hub.viewOf(localPrincipal('admin')))
    const client = await connectTo(hub.url)
    await client.listTools()
    expect(await painting(client)).toEqual(WHOLE)
    await next.until('receipt')
  } finally {
    await hub.close()
  }
})

test('[G195] the next other call brings all of its content besides', async () => {
  const { connect, person, ended } = await startGoverned()
  const log = followed(person)
  const client = await connect()
  await person.allow(await paintAndLeave(client, log, ended), undefined)
  const { body } = await log.until('message')
  const { content } = await client.callTool({ name: 'diary_read', arguments: {} })
  expect(content).toEqual([
    { type: 'text', text: '{"text":"Sea"}' },
    { type: 'text', text: body.text },
    ...WHOLE.content,
  ])
})
