import type { Client } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import type { Era } from '../support/agent.ts'
import { followed } from '../support/policy/governed.ts'
import { raw, said, startGateway, untilMount, upstream } from '../support/upstream/gateway.ts'

/** Each era of each side once: what a server says is the same to clients of both. */
const ERAS: [Era, Era][] = [
  ['legacy', 'modern'],
  ['modern', 'legacy'],
]
/** What a server asks for goes another way for each pair. */
const PAIRS: [Era, Era][] = [...ERAS, ['legacy', 'legacy'], ['modern', 'modern']]
const CAPABILITIES = { sampling: {}, elicitation: { form: {} } }

test.each(PAIRS)(
  '[G37] what a server (%s) asks for during a call is its client’s (%s) to answer',
  async (server, era) => {
    const asked: string[] = []
    const { connect, view } = await startGateway({ servers: { demo: upstream({ UPSTREAM_ERA: server }) } })
    const { entries, until } = followed(view)
    const client = await connect(era, { capabilities: CAPABILITIES })
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      asked.push(params.message)
      return { action: 'accept', content: { n: 7 } }
    })
    client.setRequestHandler('sampling/createMessage', async () => {
      return { role: 'assistant', model: 'test', content: { type: 'text', text: 'Thought' } }
    })
    expect(await said(client, 'demo_ask')).toContain('"n":7')
    expect(await said(client, 'demo_sample')).toContain('Thought')
    expect(asked).toEqual(['How many?'])
    // Going on with a call is no other call.
    await until('tool_result', 2)
    expect(entries.filter(({ body }) => body.kind === 'tool_call')).toHaveLength(2)
    expect(entries.filter(({ body }) => body.kind === 'tool_result')).toHaveLength(2)
  },
)

test('[G37] a client that cannot answer is not asked, and what nobody can be told to ask for is refused', async () => {
  const servers = { demo: upstream({ UPSTREAM_ERA: 'legacy' }) }
  const { connect, gateway } = await startGateway({ servers, patience: { unclearMs: 50 } })
  const [able, other, unable] = await Promise.all([
    connect('legacy', { capabilities: CAPABILITIES }),
    connect('legacy'),
    connect('legacy'),
  ])
  able.setRequestHandler('elicitation/create', async () => ({ action: 'decline' }))
  await expect(said(unable, 'demo_ask')).rejects.toThrow('The client does not offer elicitation')
  const waiting = new AbortController()
  const { promise: begun, resolve } = Promise.withResolvers<unknown>()
  const call = other.callTool({ name: 'demo_wait' }, { signal: waiting.signal, onprogress: resolve })
  await begun
  await expect(said(able, 'demo_ask')).rejects.toThrow('It cannot be told which client this is for')
  waiting.abort()
  await expect(call).rejects.toThrow()
  await expect.poll(() => gateway.logs('demo').join('\n')).toContain('cancelled')
  expect(await said(able, 'demo_ask')).toContain('decline')
})

test.each(ERAS)('[G38] progress and cancellation pass between server (%s) and client (%s)', async (server, era) => {
  const { connect, gateway } = await startGateway({ servers: { demo: upstream({ UPSTREAM_ERA: server }) } })
  const client = await connect(era)
  const told: unknown[] = []
  const onprogress = (progress: unknown) => void told.push(progress)
  await client.callTool({ name: 'demo_wait', arguments: { short: true } }, { onprogress })
  expect(told).toEqual([1, 2, 3].map((progress) => ({ progress, total: 3, message: `step ${progress}` })))
  const stop = new AbortController()
  const call = client.callTool({ name: 'demo_wait' }, { signal: stop.signal, onprogress: () => stop.abort() })
  await expect(call).rejects.toThrow()
  await expect.poll(() => gateway.logs('demo').join('\n')).toContain('cancelled')
})

test.each(ERAS)('[G39] a list that changes at a server (%s) changes for its client (%s)', async (server, era) => {
  const { connect } = await startGateway({ servers: { demo: upstream({ UPSTREAM_ERA: server }) } })
  const client = await connect(era)
  await client.listTools()
  const grown = Promise.withResolvers<void>()
  // Other changes, as of a server that has just come, may be told before.
  client.setNotificationHandler('notifications/tools/list_changed', async () => {
    const { tools } = (await raw(client, 'tools/list')) as { tools: { name: string }[] }
    if (tools.some(({ name }) => name === 'demo_later')) grown.resolve()
  })
  if (era === 'modern') await client.listen({ toolsListChanged: true })
  await said(client, 'demo_grow')
  await grown.promise
})

test.each(ERAS)(
  '[G40] resources, templates, prompts and completions of a server (%s), client (%s)',
  async (server, era) => {
    const { connect } = await startGateway({ servers: { demo: upstream({ UPSTREAM_ERA: server }) } })
    const client = await connect(era)
    expect(await raw(client, 'resources/list')).toMatchObject({
      resources: [{ uri: 'ui://gateway/mounts' }, { uri: 'gateway://demo/memo://one', name: 'one', 'x-resource': 1 }],
    })
    expect(await raw(client, 'resources/templates/list')).toMatchObject({
      resourceTemplates: [{ name: 'mount' }, { uriTemplate: 'gateway://demo/memo://{id}' }],
    })
    const uri = 'gateway://demo/memo://two'
    expect(await raw(client, 'resources/read', { uri })).toMatchObject({
      contents: [{ uri, text: 'It is memo://two', 'x-content': 1 }],
    })
    await expect(client.readResource({ uri: 'gateway://none/memo://two' })).rejects.toThrow('Unknown resource')
    expect(await raw(client, 'tools/call', { name: 'demo_links' })).toMatchObject({
      content: [{ uri }, { resource: { uri: 'gateway://demo/memo://three', text: 'three' } }],
    })
    expect(await raw(client, 'prompts/list')).toMatchObject({ prompts: [{ name: 'demo_greet', 'x-prompt': 1 }] })
    const { messages } = await client.getPrompt({ name: 'demo_greet', arguments: { who: 'Ada' } })
    expect(messages[0]?.content).toMatchObject({ text: expect.stringMatching(/"name":"greet".*"who":"Ada"/) })
    const argument = { name: 'who', value: 'A' }
    const { completion } = await client.complete({ ref: { type: 'ref/prompt', name: 'demo_greet' }, argument })
    expect(completion.values).toEqual(['{"type":"ref/prompt","name":"greet"}'])
  },
)

test.each(ERAS)('[G41] a resource that is followed at a server (%s) tells its client (%s)', async (server, era) => {
  const servers = { demo: upstream({ UPSTREAM_ERA: server }) }
  const { connect, gateway } = await startGateway({ servers, patience: { backOffMs: 20 } })
  const client = await connect(era)
  await client.listTools()
  const uri = 'gateway://demo/memo://one'
  let updated = Promise.withResolvers<unknown>()
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => updated.resolve(params.uri))
  await follow(client, uri, era)
  await said(client, 'demo_touch')
  expect(await updated.promise).toBe(uri)
  await said(client, 'demo_die')
  await untilMount(gateway, 'demo', ({ state }) => state === 'ready')
  updated = Promise.withResolvers()
  await expect.poll(() => said(client, 'demo_followed')).toBe('memo://one')
  await said(client, 'demo_touch')
  expect(await updated.promise).toBe(uri)
})

test('[G42] what a server logs reaches the client whose call it is, as far as that wants it', async () => {
  const { connect, gateway } = await startGateway({ servers: { demo: upstream({ UPSTREAM_ERA: 'legacy' }) } })
  const [client, other] = await Promise.all([connect('legacy'), connect('legacy')])
  const logged: unknown[] = []
  client.setNotificationHandler('notifications/message', ({ params }) => void logged.push(params.data))
  other.setNotificationHandler('notifications/message', () => expect.unreachable())
  await said(client, 'demo_log')
  expect(logged).toEqual(['Careful'])
  await client.setLoggingLevel('error')
  await said(client, 'demo_log')
  expect(logged).toHaveLength(1)
  expect(gateway.logs('demo').join('\n')).toContain('Careful')
})

function follow(client: Client, uri: string, era: Era): Promise<unknown> {
  return era === 'modern' ? client.listen({ resourceSubscriptions: [uri] }) : client.subscribeResource({ uri })
}
