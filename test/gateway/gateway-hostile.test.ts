import type { Client } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import type { Gateway } from '../../src/governance/gateway/gateway.ts'
import type { Patience } from '../../src/governance/gateway/mounts/patience.ts'
import type { Era } from '../support/agent.ts'
import { connectV1 } from '../support/mcp/sdk-clients.ts'
import { echoServer } from '../support/upstream/echo-server.ts'
import { raw, said, startGateway, untilMount } from '../support/upstream/gateway.ts'
import { hostileProgram, ODD_TOOLS } from '../support/upstream/hostile-upstream.ts'
import { mountOf } from '../support/upstream/mount-of.ts'

const QUICK = { backOffMs: 20, mostBackOffMs: 50 }

/** One of ours beside an honest one. */
async function beside(deed: string, patience: Partial<Patience> = QUICK) {
  const bad = mountOf([hostileProgram, deed])
  const { connect, gateway, url } = await startGateway({ servers: { bad, good: echoServer() }, patience })
  const client = await connect('legacy')
  await client.listTools()
  return { client, gateway, url, connect }
}

test('[G54] tools that clients could not read, or that cannot be seen, are left out, and its log says so', async () => {
  const { client, gateway, url } = await beside('odd tools')
  const { tools } = (await raw(client, 'tools/list')) as { tools: { name: string }[] }
  const shown = tools.filter(({ name }) => name.startsWith('bad_')).map(({ name }) => name.slice('bad_'.length))
  const kept = ODD_TOOLS.filter(({ becomes }) => becomes !== 'left out').map(({ tool }) => tool.name)
  expect(shown).toEqual(['fine', ...kept])
  const log = gateway.logs('bad').join('\n')
  expect(log).toContain('left out schema-is-text of its tools: it is not described as MCP wants it')
  expect(log).toContain('left out esc\\u{1b}[2J of its tools: its name has characters that cannot be seen')
  expect(log).toContain('left out huge of its tools: it is longer than 256 KiB')
  expect(log).toContain('left out what output-refers says of its results')
  for (const { tool, becomes } of ODD_TOOLS) {
    const found = tools.find(({ name }) => name === `bad_${tool.name}`)
    if (becomes === 'without its output')
      expect(found).toEqual({ name: `bad_${tool.name}`, inputSchema: tool.inputSchema })
  }
  // It compiles every schema that it is given.
  expect(await (await connectV1(`${url}/mcp/gateway`)).tools()).toEqual(tools.map(({ name }) => name))
})

test('[G55] what servers say of themselves reaches nobody with characters that do something else than to be read', async () => {
  const { client } = await beside('odd tools')
  const { tools } = (await raw(client, 'tools/list')) as { tools: { name: string }[] }
  expect(tools.find(({ name }) => name === 'bad_said')).toEqual({
    name: 'bad_said',
    title: 'Title',
    description: 'Red[31m\nnext line',
    inputSchema: { type: 'object', properties: { a: { description: 'A' }, b: { enum: ['\u202e'] } } },
    annotations: { title: 'Annotated' },
  })
})

test('[G28] names that would be the same once they are cleaned stay apart, and both names are shown', async () => {
  const { client, gateway } = await beside('collides')
  const mounted = gateway.state('bad').fingerprints
  expect(mounted.map(({ name }) => name)).toEqual(['a.b', 'a b', 'a/b', 'a_b'])
  const names = mounted.map(({ shown }) => shown)
  expect(new Set(names).size).toBe(4)
  expect(names.filter((name) => /^bad_a_b(_[0-9a-f]{12})?$/.test(name))).toHaveLength(4)
  for (const name of names) expect(await said(client, name)).toBe('fine')
})

test.each([
  ['thousands of tools', 'many', 5000, 'whatever comes after the first 5000 tools'],
  ['a list without an end', 'endless', 100, 'whatever comes after 100 pages of its tools'],
  ['more than a list may hold', 'large pages', 41, 'whatever comes after the first 41 tools'],
])('[G56] of %s there is only the beginning', async (_, deed, count, why) => {
  const { client, gateway } = await beside(deed)
  const { tools } = await untilMount(gateway, 'bad', ({ state }) => state === 'ready')
  expect(tools).toBe(count)
  expect(gateway.logs('bad').join('\n')).toContain(why)
  expect(await said(client, 'good_echo', { text: 'here' })).toBe('here')
})

test.each([
  ['answers twice', 'first'],
  ['answers wrong ids', 'yours'],
  ['sends no UTF-8', 'aft�r it'],
  ['floods stderr', 'done'],
  ['floods changes', 'done'],
])('[G57] a server that %s gives its answer, and nothing else comes of it', async (deed, answer) => {
  const { client, gateway } = await beside(deed)
  expect(await said(client, 'bad_fine')).toBe(answer)
  expect(await said(client, 'bad_fine')).toBe(answer)
  expect(await said(client, 'good_echo', { text: 'here' })).toBe('here')
  expect(gateway.logs('bad').length).toBeLessThanOrEqual(1000)
  expect(gateway.logs('bad').join('')).not.toContain('\u001b')
})

test.each([
  ['nests deep', 'gave no answer that can be used: what it sent is nested more than 200 deep'],
  ['gives no result', 'gave no answer that can be used: it sent neither a result nor an error'],
  ['sends 100 MB', 'gave no answer that can be used: it sent a message of more than 32 MiB'],
])(
  '[G58] a call of a server that %s ends with a clear error, and the hub stays as small as it was',
  async (deed, why) => {
    const { client, gateway } = await beside(deed)
    const before = memory()
    expect(await said(client, 'bad_fine')).toBe(`The server "bad" ${why}`)
    expect(memory() - before).toBeLessThan(200)
    await untilMount(gateway, 'bad', ({ state }) => state === 'ready')
    expect(await said(client, 'good_echo', { text: 'here' })).toBe('here')
  },
)

test('[G58] a list that is nested too deep is a reason not to use its server, and no other', async () => {
  const { client, gateway } = await beside('deep list')
  const { problem } = await untilMount(gateway, 'bad', ({ state }) => state === 'failed')
  expect(problem).toContain('what it sent is nested more than 200 deep')
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('good_echo')
})

test.each<Era>(['legacy', 'modern'])(
  '[G57] a result that is none is refused by the client (%s) that gets it, and by nobody else',
  async (era) => {
    const { client, connect } = await beside('lies about results')
    const other = await connect(era)
    await expect(other.callTool({ name: 'bad_fine' })).rejects.toThrow()
    expect(await said(other, 'good_echo', { text: 'here' })).toBe('here')
    expect(await said(client, 'good_echo', { text: 'here' })).toBe('here')
  },
)

test('[G59] a call that is never answered waits as long as its client does, and holds up nobody', async () => {
  const { client, connect } = await beside('never answers')
  const stop = new AbortController()
  const call = client.callTool({ name: 'bad_fine' }, { signal: stop.signal })
  const other = await connect('modern')
  expect(await said(other, 'good_echo', { text: 'here' })).toBe('here')
  stop.abort()
  await expect(call).rejects.toThrow()
})

test('[G31] a tool that its server changes after it was listed has another fingerprint', async () => {
  const { client, gateway } = await beside('changes')
  const before = fingerprint(gateway)
  const changed = Promise.withResolvers<void>()
  client.setNotificationHandler('notifications/tools/list_changed', () => changed.resolve())
  await said(client, 'bad_fine')
  await expect.poll(() => fingerprint(gateway)).not.toBe(before)
  expect(await described(client)).toBe('Is fine (2)')
})

async function described(client: Client): Promise<unknown> {
  const { tools } = await client.listTools()
  return tools.find(({ name }) => name === 'bad_fine')?.description
}

function fingerprint(gateway: Gateway): string | undefined {
  return gateway.state('bad').fingerprints[0]?.fingerprint
}

/** In MB. */
function memory(): number {
  globalThis.gc?.()
  return process.memoryUsage().rss / 1024 / 1024
}
