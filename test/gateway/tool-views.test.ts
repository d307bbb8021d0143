import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Client } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { agentOverStdio, type Era } from '../support/agent.ts'
import { startHubWithSocket, temporaryFolder } from '../support/hub.ts'
import { connectTo, raw, startGateway, untilMount, upstream } from '../support/upstream/gateway.ts'
import { startLibrary } from '../support/upstream/library.ts'

const ERAS: Era[] = ['legacy', 'modern']
const OPEN = 'gateway://lib/memo://open'
const CODEX = { name: 'codex-mcp-client' }
/** Codex sees one tool and one prompt of the library, and who has the token only resources. */
const VIEWS = [
  { token: 'ci', servers: { lib: ['resources/read'] } },
  { agent: 'codex', servers: { lib: ['count', 'prompts/get/greet'] } },
  { agent: 'gemini', servers: { lib: [] } },
]

async function namesFor(client: Client): Promise<string[]> {
  const [{ tools }, { prompts }, { resources }, { resourceTemplates }] = await Promise.all([
    client.listTools(),
    client.listPrompts(),
    client.listResources(),
    client.listResourceTemplates(),
  ])
  const names = [...tools, ...prompts].map(({ name }) => name)
  const uris = [...resources.map(({ uri }) => uri), ...resourceTemplates.map(({ uriTemplate }) => uriTemplate)]
  return [...names, ...uris].filter((name) => name.startsWith('lib_') || name.startsWith('gateway://'))
}

test('[G230] each agent sees what its view has, and who has none everything', async () => {
  const era = 'modern'
  const tokens = 'ci:agent:of-ci-0123456789,other:agent:of-other-0123456789'
  const { connect } = await startLibrary({ views: VIEWS, tokens })
  const other = { token: 'of-other-0123456789' }
  expect(await namesFor(await connect(era, { ...CODEX, ...other }))).toEqual(['lib_count', 'lib_greet'])
  expect(await namesFor(await connect(era, { name: 'gemini', ...other }))).toEqual([])
  expect(await namesFor(await connect(era, { ...CODEX, token: 'of-ci-0123456789' }))).toEqual([
    OPEN,
    'gateway://lib/memo://closed',
    'gateway://lib/memo://{id}',
  ])
  expect(await namesFor(await connect(era, other))).toHaveLength(7)
})

test.each(ERAS)('[G230] [G234] an agent on a line (%s) is known by its folder', async (era) => {
  const data = await temporaryFolder()
  const { gateway } = await startHubWithSocket(data)
  gateway.add('demo', upstream())
  await untilMount(gateway, 'demo', ({ state }) => state === 'ready')
  const { client } = await agentOverStdio({ era, args: ['stdio', '--surface', 'gateway', '--data', data], env: {} })
  const changed = Promise.withResolvers<void>()
  client.setNotificationHandler('notifications/tools/list_changed', () => changed.resolve())
  if (era === 'modern') await client.listen({ toolsListChanged: true })
  const shown = async () =>
    (await client.listTools()).tools.map(({ name }) => name).filter((name) => name.startsWith('demo_'))
  expect((await shown()).length).toBeGreaterThan(2)
  gateway.setViews([
    { folder: '/elsewhere', servers: {} },
    { folder: `*/${basename(process.cwd())}`, servers: { demo: ['echo'] } },
  ])
  await changed.promise
  expect(await shown()).toEqual(['demo_echo'])
  await expect(client.callTool({ name: 'demo_large' })).rejects.toThrow('Unknown tool "demo_large"')
})

test.each(ERAS)('[G231] what an agent (%s) does not see is not there, in the words for what is not', async (era) => {
  const { connect, asked, log } = await startLibrary({ views: VIEWS })
  const client = await connect(era, CODEX)
  const same = async (hidden: Promise<unknown>, none: Promise<unknown>, [is, isNot]: [string, string]) => {
    const [one, other] = await Promise.all([hidden, none].map((failed) => failed.catch((error: Error) => error)))
    expect(one).toBeInstanceOf(Error)
    expect({ ...(one as Error), message: (one as Error).message.replaceAll(is, isNot) }).toEqual({
      ...(other as Error),
      message: (other as Error).message,
    })
  }
  const names: [string, string] = ['lib_lend', 'lib_none']
  await same(client.callTool({ name: 'lib_lend' }), client.callTool({ name: 'lib_none' }), names)
  const prompts: [string, string] = ['lib_scold', 'lib_none']
  await same(client.getPrompt({ name: 'lib_scold' }), client.getPrompt({ name: 'lib_none' }), prompts)
  const uris: [string, string] = [OPEN, 'gateway://none/memo://open']
  const read = (uri: string) => raw(client, 'resources/read', { uri })
  const [hidden, none] = await Promise.all(uris.map((uri) => read(uri).catch(({ code }) => code)))
  expect([typeof hidden, hidden]).toEqual(['number', none])
  const follow = (uri: string) =>
    era === 'legacy' ? client.subscribeResource({ uri }) : client.listen({ resourceSubscriptions: [uri] })
  await expect(follow(OPEN)).rejects.toThrow(`Unknown resource ${OPEN}`)
  const complete = client.complete({
    ref: { type: 'ref/prompt', name: 'lib_scold' },
    argument: { name: 'a', value: 'b' },
  })
  await expect(complete).rejects.toThrow('Unknown prompt "lib_scold"')
  expect(asked()).toEqual([])
  await client.callTool({ name: 'lib_count' })
  await log.until('tool_result')
  expect(log.entries.filter(({ body }) => body.kind === 'tool_call')).toHaveLength(1)
  expect((await connect(era)).getInstructions()).not.toContain('lib')
  const { contents } = await (await connect(era, { name: 'gemini' })).readResource({ uri: 'ui://gateway/mounts' })
  expect(JSON.parse((contents as { text: string }[])[0]?.text ?? '')).toEqual({ mounts: [] })
})

test('[G231] nor is it told what a server says that it does not see any more', async () => {
  const { connect, gateway } = await startGateway({ servers: { demo: upstream() } })
  await untilMount(gateway, 'demo', ({ state }) => state === 'ready')
  const [codex, other] = [await following('codex'), await following('other')]
  gateway.setViews([{ agent: 'codex', servers: {} }])
  await codex.changed()
  await other.client.callTool({ name: 'demo_touch' })
  await other.updated()
  gateway.setViews([])
  // It comes behind whatever was told before.
  await codex.changed()
  expect(codex.updates).toEqual([])

  async function following(name: string) {
    const client = await connect('legacy', { name })
    const updates: string[] = []
    const lists: string[] = []
    let look = () => {}
    client.setNotificationHandler('notifications/resources/updated', ({ params: { uri } }) => {
      updates.push(uri)
      look()
    })
    client.setNotificationHandler('notifications/tools/list_changed', () => {
      lists.push('tools')
      look()
    })
    await client.listTools()
    await client.subscribeResource({ uri: 'gateway://demo/memo://one' })
    return { client, updates, changed: () => next(lists), updated: () => next(updates) }

    /** Taken from what was told. */
    function next(told: string[]): Promise<void> {
      return new Promise((resolve) => {
        look = () => {
          if (told.shift() !== undefined) resolve()
        }
        look()
      })
    }
  }
})

test('[G233] a call that waits for a person does not run once its agent does not see the tool any more', async () => {
  const { connect, view, gateway, asked, log } = await startLibrary()
  const client = await connect('legacy')
  const waits = client.callTool({ name: 'lib_lend' })
  const { id } = await log.until('question')
  gateway.setViews([{ servers: {} }])
  await view.allow(id, undefined)
  expect(await waits).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('no tool lend now') }] })
  expect(asked()).toEqual([])
})

test('[G233] nor where its agent has gone meanwhile', async () => {
  const { connect, view, gateway, asked, log } = await startLibrary({ maxWaitSeconds: 1 })
  const client = await connect('legacy')
  expect(await client.callTool({ name: 'lib_lend' })).toMatchObject({ isError: true })
  const { id } = await log.until('question')
  gateway.setViews([{ servers: {} }])
  await view.allow(id, undefined)
  expect((await log.until('tool_result')).body).toMatchObject({
    success: false,
    result: expect.stringContaining('no tool lend now'),
  })
  expect(asked()).toEqual([])
})

test.each(ERAS)('[G234] a change of the views is told to the agents (%s) that it concerns', async (era) => {
  const { data, url } = await startLibrary()
  const [codex, other] = [await watching('codex'), await watching('other')]
  const path = join(data, 'mcp.json')
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), views: VIEWS }))
  await Promise.all([codex.tools.promise, codex.prompts.promise, codex.resources.promise])
  expect(await namesFor(codex.client)).toEqual(['lib_count', 'lib_greet'])
  // Those of 2026 that come by HTTP all hear the same.
  if (era === 'legacy') expect(other.told).toEqual([])
  expect(await namesFor(other.client)).toHaveLength(7)

  async function watching(name: string) {
    const client = await connectTo(url, era, { name })
    const [tools, prompts, resources] = [0, 0, 0].map(() => Promise.withResolvers<void>()) as [Told, Told, Told]
    const told: string[] = []
    for (const [list, is] of Object.entries({ tools, prompts, resources }))
      client.setNotificationHandler(`notifications/${list as 'tools'}/list_changed`, () => {
        told.push(list)
        is.resolve()
      })
    if (era === 'modern')
      await client.listen({ toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true })
    await namesFor(client)
    return { client, tools, prompts, resources, told }
  }
})

type Told = PromiseWithResolvers<void>

test('[G235] views that mean nothing are refused with their place, and the last good ones count', async () => {
  const { data, connect, gateway } = await startLibrary({ views: VIEWS })
  const path = join(data, 'mcp.json')
  const good = JSON.parse(readFileSync(path, 'utf8'))
  const problemWith = async (views: unknown) => {
    const { promise, resolve } = Promise.withResolvers<string | undefined>()
    const following = gateway.onChange((change) => {
      if ('problem' in change) resolve(change.problem)
    })
    writeFileSync(path, JSON.stringify({ ...good, views }))
    return promise.finally(() => following.close())
  }
  expect(await problemWith([{ agnt: 'codex', servers: {} }])).toBe(
    `The views in ${path} cannot be used: "views.0" has "agnt"; a view has "agent", "folder", "token" and "servers"`,
  )
  expect(await problemWith([{ agent: 'codex' }])).toContain('"views.0.servers" must be an object')
  expect(await problemWith([{ servers: { lib: 'count' } }])).toContain(
    '"views.0.servers.lib" must be a list of patterns of tools',
  )
  expect(await problemWith([{ servers: { lib: ['{a'] } }])).toContain('"views.0.servers.lib" has a "{"')
  expect(await namesFor(await connect('modern', CODEX))).toEqual(['lib_count', 'lib_greet'])
  expect(await problemWith(VIEWS)).toBeUndefined()
})

test('[G236] an administrator sets the views, and the file keeps them with everything else in it', async () => {
  const { data, connect, url } = await startLibrary({ tokens: 'boss:admin:of-boss-0123456789,a:agent:of-a-0123456789' })
  const [boss, agent] = [
    await connect('legacy', { token: 'of-boss-0123456789' }),
    await connect('legacy', { token: 'of-a-0123456789', ...CODEX }),
  ]
  const path = join(data, 'mcp.json')
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), other: 1 }))
  const views = [{ agent: 'codex', servers: { lib: ['count'] } }]
  const set = (client: Client, views: unknown) => client.callTool({ name: 'view_set', arguments: { views } })
  expect(await set(boss, views)).toMatchObject({ structuredContent: { views } })
  expect(await namesFor(agent)).toEqual(['lib_count'])
  const kept = JSON.parse(readFileSync(path, 'utf8'))
  expect([kept.views, kept.other, Object.keys(kept.mcpServers)]).toEqual([views, 1, ['lib']])
  expect(await set(boss, [{ servers: { lib: ['!x'] } }])).toMatchObject({ isError: true })
  expect(await set(agent, [])).toMatchObject({ isError: true })
  expect(await namesFor(agent)).toEqual(['lib_count'])
  const authorization = 'Bearer of-boss-0123456789'
  const body = JSON.stringify({ server: 'gateway', tool: 'mount_list', arguments: {} })
  const listed = await fetch(`${url}/api/mcp/call`, { method: 'POST', body, headers: { authorization } })
  expect(await listed.json()).toMatchObject({ views })
})
