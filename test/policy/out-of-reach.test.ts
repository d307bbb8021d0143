import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import type { Era } from '../support/agent.ts'
import { connectTo, raw } from '../support/upstream/gateway.ts'
import { startLibrary } from '../support/upstream/library.ts'

const ERAS: Era[] = ['legacy', 'modern']

/** What a client is shown of the library, by its own names there. */
async function shownTo(client: Client) {
  const [{ tools }, { prompts }, { resources }, { resourceTemplates }] = await Promise.all([
    client.listTools(),
    client.listPrompts(),
    client.listResources(),
    client.listResourceTemplates(),
  ])
  const names = [...tools, ...prompts].map(({ name }) => name).filter((name) => name.startsWith('lib_'))
  const uris = [...resources.map(({ uri }) => uri), ...resourceTemplates.map(({ uriTemplate }) => uriTemplate)]
  return [...names, ...uris.filter((uri) => uri.startsWith('gateway://')).map((uri) => uri.slice(14))]
}

const EVERYTHING = ['lib_lend', 'lib_count', 'lib_greet', 'lib_scold', 'memo://open', 'memo://closed', 'memo://{id}']

test('[G225] what an agent may never call is not listed to it', async () => {
  const era = 'legacy'
  const rules = [
    { tool: 'lend', arguments: { days: { '<': 9 } }, decision: 'ask' },
    { agent: 'codex', tool: ['count', 'prompts/get/scold'], decision: 'deny_continue', reason: 'Not for you' },
    { agent: 'codex', arguments: { uri: '*closed' }, decision: 'deny_continue' },
    { tool: 'lend', decision: 'deny_continue' },
    { agent: 'gemini', server: 'lib', decision: 'deny_abort' },
  ]
  const { connect, asked, log } = await startLibrary({ policy: { rules } })
  const codex = await connect(era, { name: 'codex-mcp-client' })
  expect(await shownTo(codex)).toEqual(['lib_lend', 'lib_greet', 'memo://open', 'memo://{id}'])
  expect(await shownTo(await connect(era))).toEqual(EVERYTHING)
  const gemini = await connect(era, { name: 'gemini' })
  expect(await shownTo(gemini)).toEqual(['lib_lend'])
  // It is there, and denied like every other call.
  await expect(codex.callTool({ name: 'lib_count' })).rejects.toMatchObject({ code: -32951 })
  expect((await log.until('tool_result')).body).toMatchObject({ tool_name: 'lib_count', success: false })
  const ref = { type: 'ref/prompt', name: 'lib_scold' } as const
  const completing = (client: Client) => client.complete({ ref, argument: { name: 'a', value: 'b' } })
  await expect(completing(codex)).rejects.toMatchObject({ code: -32951 })
  expect(asked()).toEqual([])
  expect((await completing(await connect(era))).completion.values).toEqual(['one'])
})

test('[G225] an address that is no path is listed, whatever rules say of paths', async () => {
  const rules = [{ arguments: { '*': { path: '/**/.env' } }, decision: 'deny_continue' }]
  const { connect } = await startLibrary({ policy: { rules } })
  const client = await connect()
  expect(await shownTo(client)).toEqual(EVERYTHING)
  expect((await client.readResource({ uri: 'gateway://lib/memo://open' })).contents).toHaveLength(1)
})

test.each(ERAS)('[G225] the state of mounts is told to an agent (%s) as far as it has them in reach', async (era) => {
  const rules = [
    { agent: 'gemini', decision: 'deny_continue' },
    { agent: 'codex', tool: 'lend', decision: 'deny_continue' },
  ]
  const { connect } = await startLibrary({ policy: { rules } })
  expect(await mountsFor('codex')).toMatchObject([{ name: 'lib', tools: 1, fingerprints: [{ name: 'count' }] }])
  expect(await mountsFor('gemini')).toEqual([])

  async function mountsFor(name: string) {
    const client = await connect(era, { name })
    await client.listTools()
    const { contents } = await client.readResource({ uri: 'ui://gateway/mounts' })
    return JSON.parse((contents as { text: string }[])[0]?.text ?? '').mounts
  }
})

test.each(ERAS)('[G226] who was shown a list is told when the policy changes it (%s)', async (era) => {
  const { data, url } = await startLibrary()
  const [codex, other] = [await watching('codex'), await watching('other')]
  const rules = [{ agent: 'codex', tool: 'lend', decision: 'deny_continue' }]
  writeFileSync(join(data, 'policy.jsonc'), JSON.stringify({ rules }))
  await codex.changed
  expect(await shownTo(codex.client)).not.toContain('lib_lend')
  // A session of 2025 is known by its client.
  if (era === 'legacy') expect(other.told).toEqual([])
  expect(await shownTo(other.client)).toEqual(EVERYTHING)

  async function watching(name: string) {
    const client = await connectTo(url, era, { name })
    const { promise: changed, resolve } = Promise.withResolvers<void>()
    const told: string[] = []
    client.setNotificationHandler('notifications/tools/list_changed', () => {
      told.push('tools')
      resolve()
    })
    if (era === 'modern') await client.listen({ toolsListChanged: true })
    await raw(client, 'tools/list')
    return { client, changed, told }
  }
})

test('[G321] nothing is completed of an address that an agent may never read', async () => {
  const rules = [{ tool: 'resources/read', arguments: { uri: 'memo://closed*' }, decision: 'deny_continue' }]
  const { connect, asked } = await startLibrary({ policy: { rules } })
  const client = await connect('modern')
  const complete = (uri: string) =>
    client.complete({ ref: { type: 'ref/resource', uri: `gateway://lib/${uri}` }, argument: { name: 'id', value: '' } })
  await expect(complete('memo://closed/{id}')).rejects.toMatchObject({ code: -32951 })
  expect(asked()).toEqual([])
  expect(await complete('memo://{id}')).toMatchObject({ completion: { values: ['one'] } })
})
