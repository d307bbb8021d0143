import { expect, test } from 'vitest'
import { said, startGateway, untilMount, upstream, variable } from '../support/upstream/gateway.ts'
import { startLegacyHttpServer } from '../support/upstream/legacy-http-server.ts'

const QUICK = { backOffMs: 20, mostBackOffMs: 50 }

test('[G32] a server of the 2025 era at an address gets its headers, and a new session when it knows the old no more', async () => {
  const { url, headers, forget } = await startLegacyHttpServer()
  const servers = { far: { type: 'http', url, headers: { 'x-key': variable('KEY') } } }
  const { connect, gateway } = await startGateway({ servers, env: { KEY: 'secret' }, patience: QUICK })
  const client = await connect()
  expect(await said(client, 'far_hello')).toBe('Hello!')
  expect(new Set(headers.map((sent) => sent['x-key']))).toEqual(new Set(['secret']))
  forget()
  expect(await said(client, 'far_hello')).toContain('The server "far" was lost during the call')
  await untilMount(gateway, 'far', ({ state }) => state === 'ready')
  expect(await said(client, 'far_hello')).toBe('Hello!')
})

test('[G32] a server of the 2026 era at an address works, and one that lets nobody in says so', async () => {
  const far = await startGateway({ servers: { demo: upstream() }, tokens: 'robot:agent:of-robot-0123456789' })
  const url = `${far.url}/mcp/gateway`
  const headers = { authorization: `Bearer ${variable('TOKEN')}` }
  const servers = { far: { url, headers }, shut: { url, headers: { authorization: 'Bearer wrong' } } }
  const near = await startGateway({ servers, env: { TOKEN: 'of-robot-0123456789' } })
  const client = await near.connect()
  expect(await said(client, 'far_demo_echo', { text: 'through two' })).toBe('through two')
  const { problem } = await untilMount(near.gateway, 'shut', ({ state }) => state === 'failed')
  expect(problem).toBe('it refuses the authorization header of its mount; mount it again with another')
})
