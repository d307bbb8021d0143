import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type AgentStatus, INBOX, STATUS } from '../../src/protocol/frames/inbox.ts'
import { localPrincipal, type Principal } from '../../src/protocol/principal.ts'
import { agentOverStdio, type Era } from '../support/agent.ts'
import { erasOf } from '../support/eras.ts'
import { startHub, startHubWithSocket, temporaryFolder } from '../support/hub.ts'
import { ADA, openSurfaces, readJson } from '../support/mcp/surfaces.ts'
import { subscribe, updatesOf } from '../support/mcp/updates.ts'

const HUMAN = '/mcp/human'
const ASSISTANT = '/mcp/assistant'
const RUNTIME: Principal = { id: 'runtime', name: 'runtime', role: 'orchestrator' }

async function statusFor(client: Client): Promise<AgentStatus> {
  return (await readJson(client, STATUS)).body as unknown as AgentStatus
}

/** Somebody who is told of every change of the status. */
async function watcher(connect: ReturnType<typeof openSurfaces>['connect'], era: Era, principal = ADA) {
  const client = await connect(HUMAN, principal, era)
  const next = updatesOf(client)
  await subscribe(client, STATUS, era)
  return {
    type: async () => (await statusFor(client)).type,
    async changedTo() {
      expect((await next()).uri).toBe(STATUS)
      return (await statusFor(client)).type
    },
    next,
    client,
  }
}

describe.each<Era>(['legacy', 'modern'])('in the %s era', (era) => {
  test('[I42] the status says whether the hub is ready, and is told when it is not any more', async () => {
    const { connect, readiness } = openSurfaces()
    const { client, next } = await watcher(connect, era)
    expect((await statusFor(client)).ui).toEqual({ ready: true })
    readiness.close()
    expect((await next()).uri).toBe(STATUS)
    const reason = 'Parley is shutting down; come back in a moment'
    expect((await statusFor(client)).ui).toEqual({ ready: false, reason })
  })

  test('[I43] the type is ui while an orchestrator listens to the inbox, and every change is told', async () => {
    const { connect } = openSurfaces()
    const { type, changedTo } = await watcher(connect, era)
    expect(await type()).toBe('local')
    const runtime = await connect(ASSISTANT, RUNTIME, era)
    await subscribe(runtime, STATUS, era)
    expect(await type()).toBe('local')
    await subscribe(runtime, INBOX, era)
    expect(await changedTo()).toBe('ui')
    await runtime.close()
    expect(await changedTo()).toBe('local')
  })

  test('[I43] an orchestrator drives what it listens to, and no other conversation', async () => {
    const { connect, view } = openSurfaces()
    const bound = await watcher(connect, era, { ...ADA, conversation: 'work' })
    const elsewhere = await watcher(connect, era, { ...ADA, conversation: 'other' })
    const everywhere = await watcher(connect, era)
    await subscribe(await connect(ASSISTANT, RUNTIME, era), `${INBOX}/work`, era)
    expect(await bound.changedTo()).toBe('ui')
    expect(await everywhere.changedTo()).toBe('ui')
    view.agentSession({ conversation: 'other', title: 'Other' })
    expect(await everywhere.changedTo()).toBe('local')
    expect(await elsewhere.changedTo()).toBe('local')
    await subscribe(await connect(ASSISTANT, { ...RUNTIME, conversation: 'other' }, era), INBOX, era)
    expect(await elsewhere.changedTo()).toBe('ui')
    expect(await everywhere.changedTo()).toBe('ui')
    expect(await bound.type()).toBe('ui')
  })

  test('[I43] whoever is no orchestrator drives nothing', async () => {
    const { connect } = openSurfaces()
    for (const principal of [localPrincipal('agent'), { ...RUNTIME, role: 'agent' } as const])
      await subscribe(await connect(ASSISTANT, principal, era), INBOX, era)
    expect(await (await watcher(connect, era)).type()).toBe('local')
  })
})

test('[I43] an orchestrator that has pinned the inbox drives by being connected', async () => {
  const { connect } = openSurfaces()
  const { changedTo } = await watcher(connect, 'legacy')
  const runtime = await connect(ASSISTANT, RUNTIME)
  await runtime.subscribeResource({ uri: INBOX, _meta: { 'parley/pinned': true } })
  expect(await changedTo()).toBe('ui')
  await runtime.close()
  expect(await changedTo()).toBe('local')
  await connect(ASSISTANT, RUNTIME)
  expect(await changedTo()).toBe('ui')
})

test.each(erasOf('legacy'))('[I43] an orchestrator on a line (%s) drives until it is gone', async (era) => {
  const data = await temporaryFolder()
  const hub = await startHubWithSocket(data)
  const { secret } = await hub.tokens.create({ name: 'runtime', role: 'orchestrator' })
  const seen = await connectWithToken(hub.url, (await hub.tokens.create({ name: 'ada', role: 'human' })).secret)
  const next = updatesOf(seen)
  await seen.subscribeResource({ uri: STATUS })
  const args = ['stdio', '--surface', 'assistant', '--data', data]
  const { client } = await agentOverStdio({ era, args, env: { PARLEY_TOKEN: secret } })
  await subscribe(client, INBOX, era)
  await next()
  expect((await statusFor(seen)).type).toBe('ui')
  await client.close()
  await next()
  expect((await statusFor(seen)).type).toBe('local')
})

test('[I42] who watches a hub is told that it closes', async () => {
  const { url, close } = await startHub()
  const client = new Client({ name: 'test-client', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp/human`)))
  onTestFinished(() => client.close())
  const next = updatesOf(client)
  await subscribe(client, STATUS, 'modern')
  const [{ uri }] = await Promise.all([next(), close()])
  expect(uri).toBe(STATUS)
})

async function connectWithToken(url: string, token: string) {
  const client = new Client({ name: 'test-client', version: '1' }, { versionNegotiation: { mode: 'legacy' } })
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}${HUMAN}`), { requestInit }))
  onTestFinished(() => client.close())
  return client
}
