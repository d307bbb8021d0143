import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openHubLink } from '../../src/agents/hub-link.ts'
import { openTokens } from '../../src/doors/http/access/open-tokens.ts'
import { lineTo, startDriven, startRunner, watching } from '../support/driven/driven.ts'
import { scriptedDriver } from '../support/driven/scripted-driver.ts'
import { startHub, startHubWithSocket, temporaryFolder } from '../support/hub.ts'
import { png } from '../support/images.ts'
import { uploaded } from '../support/uploads.ts'

test('[O40] the same over HTTP with a token of its own', async () => {
  const data = await temporaryFolder()
  const { secret: token } = await openTokens({ data }).create({ name: 'runner', role: 'orchestrator' })
  const { url, view } = await startHub(data)
  const { driver, prompts } = scriptedDriver((_, { happens }) => {
    happens({ type: 'text', text: 'Here' })
    return undefined
  })
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  const connect = () => new StreamableHTTPClientTransport(new URL(`${url}/mcp/orchestrator`), { requestInit })
  const { problems } = await startRunner(data, { driver, connect, hasToken: true })
  const watch = watching(view)
  await view.say('work', { text: 'Hello' })
  await watch.until('turn')
  expect(prompts).toEqual(['Hello'])
  expect(watch.bodies('message').at(-1)).toMatchObject({ text: 'Here', by: 'scripted' })
  expect(problems).toEqual([])
})

test('[O52] what notifications bring is taken as it is; nothing is read once more', async () => {
  const reads: unknown[] = []
  const data = await temporaryFolder()
  const { view } = await startHubWithSocket(data)
  const { driver, prompts } = scriptedDriver(() => undefined)
  await startRunner(data, { driver, connect: () => watched(lineTo(data)) })
  const watch = watching(view)
  for (const n of [1, 2, 3]) {
    await view.say('work', { text: `Number ${n}` })
    await watch.until('turn', n)
  }
  expect(prompts).toEqual(['Number 1', 'Number 2', 'Number 3'])
  expect(reads).toHaveLength(1)

  function watched(transport: Transport): Transport {
    const send = transport.send.bind(transport)
    transport.send = (message, options) => {
      const { params } = message as { params?: { name?: string } }
      if (params?.name === 'chat_read_since') reads.push(message)
      return send(message, options)
    }
    return transport
  }
})

test('[O55] a hub that ends and comes back over HTTP is found again, and nothing that was said meanwhile is lost', async () => {
  const data = await temporaryFolder()
  let hub = await startHub(data)
  const { driver, prompts } = scriptedDriver(() => undefined)
  const connect = () => new StreamableHTTPClientTransport(new URL(`${hub.url}/mcp/orchestrator`))
  await startRunner(data, { driver, connect })
  const before = watching(hub.view)
  await hub.view.say('work', { text: 'One' })
  await before.until('turn')
  await hub.close()
  hub = await startHub(data)
  await hub.view.say('work', { text: 'Two' })
  const after = watching(hub.view)
  await after.until('turn', 2)
  expect(prompts).toEqual(['One', 'Two'])
})

test('[G324] a runner whose token is revoked gives up, and says why', async () => {
  const data = await temporaryFolder()
  const tokens = openTokens({ data })
  const { secret: token } = await tokens.create({ name: 'runner', role: 'orchestrator' })
  await tokens.create({ name: 'ada', role: 'admin' })
  const { url } = await startHub(data)
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  const connect = () => new StreamableHTTPClientTransport(new URL(`${url}/mcp/orchestrator`), { requestInit })
  const { gaveUp } = await startRunner(data, {
    driver: scriptedDriver(() => undefined).driver,
    connect,
    hasToken: true,
  })
  await tokens.revoke('runner')
  expect(await gaveUp).toMatchObject({ code: 'refused_by_hub', message: expect.stringContaining('401') })
})

test('[G324] a call that cannot be sent fails with its own error, and the connection stays', async () => {
  const data = await temporaryFolder()
  await startHubWithSocket(data)
  let connections = 0
  const connect = () => {
    connections++
    return lineTo(data)
  }
  const link = await openHubLink({
    connect,
    name: 'x',
    uris: [],
    isRunner: false,
    updated() {},
    requested() {},
    reconnected() {},
  })
  onTestFinished(link.close)
  await expect(link.call('offer_runner', { seconds: 1n })).rejects.toThrow('BigInt')
  await expect(link.call('offer_runner', {})).rejects.toMatchObject({ code: 'refused_by_hub' })
  expect(connections).toBe(1)
})

test('[G334] a runner that ends while a hub does not answer it ends at once, and leaves no connection', async () => {
  const hub = await startHub()
  const { url, reached, left } = await startMuteServer()
  let address = `${hub.url}/mcp/orchestrator`
  const connect = () => {
    // The SDK's own patience never ends.
    if (address === url) vi.useFakeTimers({ toFake: ['setTimeout'] })
    return new StreamableHTTPClientTransport(new URL(address))
  }
  onTestFinished(() => void vi.useRealTimers())
  const uris = ['ui://chat/inbox']
  const link = await openHubLink({
    connect,
    name: 'x',
    uris,
    isRunner: false,
    updated() {},
    requested() {},
    reconnected() {},
  })
  address = url
  await hub.close()
  const asked = expect(link.call('offer_runner', {})).rejects.toMatchObject({ code: 'shutting_down' })
  await reached
  await link.close()
  await Promise.all([left, asked])
})

/** Takes every request and answers none. */
async function startMuteServer() {
  const reached = Promise.withResolvers<void>()
  const left = Promise.withResolvers<void>()
  const server = createServer((request) => {
    request.socket.on('close', () => left.resolve())
    reached.resolve()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/mcp`, reached: reached.promise, left: left.promise }
}

test('[O44] what is too long for an entry is shortened, and says so', async () => {
  const output = 'x'.repeat(2_000_000)
  const { driver } = scriptedDriver((_, { happens }) => {
    const input = { text: output }
    const changes = [{ path: 'a', new_text: output }]
    happens({ type: 'tool', step: { id: 'c1', tool_name: 'read', input, output, changes, state: 'done' } })
    for (let n = 0; n < 20; n++) happens({ type: 'text', text: 'y'.repeat(100_000) })
    return undefined
  })
  const { view, watch, runner } = await startDriven({ driver })
  await view.say('work', { text: 'Go' })
  await watch.until('turn')
  expect(runner.problems).toEqual([])
  const [{ result = '' } = {}] = watch.bodies('tool_result')
  expect(result).toMatch(/x\n… and 1850000 more characters$/)
  expect(watch.bodies('tool_call')).toMatchObject([{ tool_args: expect.stringContaining('beginning') }])
  const said = watch.bodies('message').flatMap(({ author, text }) => (author === 'assistant' ? [text] : []))
  expect(said.join('')).toBe('y'.repeat(2_000_000))
})

test('[O40] images come with the prompt', async () => {
  const image = png(4, 4)
  const images: unknown[] = []
  const { driver, prompts } = scriptedDriver((prompt) => {
    images.push(prompt.images)
    return undefined
  })
  const { hub, view, watch } = await startDriven({ driver })
  const file = await uploaded(hub.url, new Uint8Array(image), { name: 'dot.png', mime: 'image/png' })
  await view.say('work', { text: 'What is this?', attachments: [file] })
  await watch.until('turn')
  expect(prompts[0]).toContain('What is this?')
  expect(images).toEqual([[{ mime: 'image/png', name: 'dot.png', base64: image.toString('base64') }]])
})
