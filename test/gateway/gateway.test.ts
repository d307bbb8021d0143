import { expect, test } from 'vitest'
import type { Era } from '../support/agent.ts'
import { raw, said, startGateway, upstream } from '../support/upstream/gateway.ts'
import { TOOLS } from '../support/upstream/upstream.ts'

/** Each era of each side once: what a server says is the same to clients of both. */
const ERAS: [Era, Era][] = [
  ['legacy', 'modern'],
  ['modern', 'legacy'],
]

test.each(ERAS)('[G25] tools of a server (%s) reach a client (%s) with their own schemas', async (server, era) => {
  const { connect } = await startGateway({ servers: { demo: upstream({ UPSTREAM_ERA: server }) } })
  const { tools } = (await raw(await connect(era), 'tools/list')) as { tools: { name: string }[] }
  const [echo] = TOOLS
  expect(tools.find(({ name }) => name === 'demo_echo')).toEqual({ ...echo, name: 'demo_echo' })
  expect(tools.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['chat_assistant_post', 'chat_assistant_event', 'yield_turn', 'demo_large']),
  )
})

test.each(ERAS)('[G26] a call passes to its server (%s) from a client (%s) and back as it is', async (server, era) => {
  const { connect } = await startGateway({ servers: { demo: upstream({ UPSTREAM_ERA: server }) } })
  const client = await connect(era)
  const result = await raw(client, 'tools/call', {
    name: 'demo_echo',
    arguments: { text: 'Hällo', more: { deep: [null] } },
    _meta: { 'vendor/call': 'kept' },
  })
  expect(result).toMatchObject({
    content: [{ type: 'text', text: 'Hällo', 'x-block': 1 }, { type: 'image' }],
    structuredContent: { said: 'Hällo' },
    'x-result': { kept: true },
    _meta: { 'vendor/result': 'kept' },
  })
  const bytes = 5 * 1024 * 1024
  expect(await said(client, 'demo_large', { bytes })).toHaveLength(bytes)
  await expect(client.callTool({ name: 'demo_none' })).rejects.toThrow('Unknown tool "demo_none"')
})

test('[G27] each call is decided about before its server sees it', async () => {
  const rules = [
    { server: 'demo', tool: 'echo', principal: 'local:agent', arguments: { text: 'said' }, decision: 'allow' },
    { tool: '*', decision: 'deny_continue', reason: 'Not today' },
  ]
  const { connect } = await startGateway({ servers: { demo: upstream() }, policy: { rules } })
  const client = await connect()
  expect(await said(client, 'demo_echo', { text: 'said' })).toBe('said')
  for (const name of ['demo_echo', 'demo_die'])
    await expect(client.callTool({ name, arguments: {} })).rejects.toMatchObject({ code: -32951 })
})

test.each(['legacy', 'modern'] as const)('[G74] what people say stays outside (%s)', async (era) => {
  const { connect, view, gateway } = await startGateway({ servers: { demo: upstream() } })
  const client = await connect(era)
  const told: string[] = []
  const changed = Promise.withResolvers<void>()
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => void told.push(params.uri))
  client.setNotificationHandler('notifications/tools/list_changed', () => changed.resolve())
  const { resources } = (await raw(client, 'resources/list')) as { resources: { uri: string }[] }
  expect(resources.filter(({ uri }) => uri.startsWith('ui://chat'))).toEqual([])
  if (era === 'modern') await client.listen({ toolsListChanged: true, resourceSubscriptions: ['ui://chat/inbox'] })
  await expect(client.readResource({ uri: 'ui://chat/inbox' })).rejects.toThrow()
  await view.say('chat', { text: 'Hello' })
  gateway.add('other', upstream())
  await changed.promise
  expect(told).not.toContain('ui://chat/inbox')
})
