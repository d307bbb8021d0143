import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as V1Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as V1Transport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { eventually } from '../../test/support/eventually.ts'
import { openTestHub, temporaryFolder, viewOf } from '../../test/support/hub.ts'
import { freePort } from '../../test/support/process.ts'
import type { Hub } from '../hub/hub.ts'
import { INBOX, type Inbox } from '../protocol/frames/inbox.ts'
import type { McpClient } from './mcp-client.ts'
import { createSubscriptionManager, type Data, type Problem } from './subscriptions.ts'

const KINDS = ['2026-era', '2025-era', 'v1'] as const
type Kind = (typeof KINDS)[number]

/** A hub that goes away and comes back at the same address, with the same log. */
async function startHub() {
  const data = await temporaryFolder()
  const open = (port: number) => openTestHub({ host: '127.0.0.1', port, data })
  const port = await freePort()
  let hub: Hub | undefined = await open(port)
  onTestFinished(stop)
  const requests: string[] = []
  return { stop, start, say, post, sayUnheard, connect, requests }

  async function stop() {
    const gone = hub
    hub = undefined
    await gone?.close()
  }

  async function start() {
    hub = await open(port)
  }

  async function say(text: string) {
    if (hub) await viewOf(hub).say('work', { text })
  }

  /** Posts as an assistant, which notifies nobody. */
  async function post(text: string) {
    if (hub) await viewOf(hub).tell('work', { by: 'robot', text })
  }

  /** Speaks while the hub is away, at an address that nobody knows. */
  async function sayUnheard(text: string) {
    const elsewhere = await open(0)
    await viewOf(elsewhere).say('work', { text })
    await elsewhere.close()
  }

  async function connect(kind: Kind): Promise<McpClient & { connectAgain(): Promise<void> }> {
    const client = newClient(kind)
    const connectAgain = () => client.connect(transport(kind) as StreamableHTTPClientTransport & V1Transport)
    await connectAgain()
    onTestFinished(() => client.close())
    return Object.assign(client, { connectAgain })
  }

  function transport(kind: Kind) {
    const url = new URL(`http://localhost:${port}/mcp/human`)
    return new (kind === 'v1' ? V1Transport : StreamableHTTPClientTransport)(url, { fetch: noted })
  }

  async function noted(address: string | URL, init?: RequestInit) {
    if (init?.method === 'POST') requests.push(JSON.parse(String(init.body)).method)
    return fetch(address, init)
  }
}

function newClient(kind: Kind): Client | V1Client {
  const about = { name: 'test-client', version: '1' }
  if (kind === 'v1') return new V1Client(about)
  return new Client(about, { versionNegotiation: { mode: kind === '2026-era' ? 'auto' : 'legacy' } })
}

/** Keeps what a subscriber is told until the test asks for it. */
function subscriber() {
  const told: (Data | Problem)[] = []
  let wake = () => {}
  return { told, onData, until, texts, problem: () => until(isProblem) }

  function onData(data: Data | Problem) {
    told.push(data)
    wake()
  }

  async function until(fits: (data: Data | Problem) => boolean): Promise<Data | Problem> {
    for (;;) {
      const data = told.shift()
      if (data && fits(data)) return data
      if (!data)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    }
  }

  /** Waits for contents with exactly these messages. */
  async function texts(...expected: string[]) {
    await until((data) => !isProblem(data) && JSON.stringify(textsOf(data)) === JSON.stringify(expected))
  }
}

function isProblem(data: Data | Problem): data is Problem {
  return data.error !== undefined
}

function textsOf(data: Data): unknown[] {
  return (JSON.parse(data[0]?.text ?? '') as Inbox).messages.map(({ content }) => content)
}

/** Reads only when there is a reason, unless told otherwise: a test of a notification must need it. */
function open(client: McpClient | (() => Promise<McpClient>), readEveryMs = 0) {
  const manager = createSubscriptionManager(client, { readEveryMs })
  onTestFinished(manager.close)
  return manager
}

describe.each(KINDS)('with a %s client', (kind) => {
  test('[I10] a subscriber gets the resource at once and again after every notification', async () => {
    const hub = await startHub()
    await hub.say('one')
    const { onData, told, texts } = subscriber()
    await open(await hub.connect(kind)).subscribe(INBOX, onData)
    expect(told.map((data) => !isProblem(data) && textsOf(data))).toEqual([['one']])
    await hub.say('two')
    await texts('one', 'two')
    await hub.say('three')
    await texts('one', 'two', 'three')
  })

  test('[I11] a lost connection is re-established, and what was missed is read', async () => {
    const hub = await startHub()
    const { onData, problem, texts } = subscriber()
    await open(() => hub.connect(kind)).subscribe(INBOX, onData)
    await hub.say('before')
    await texts('before')
    await hub.stop()
    expect(await problem()).toMatchObject({ error: 'disconnected', message: expect.stringMatching(/./) })
    await hub.sayUnheard('missed')
    await hub.start()
    await texts('before', 'missed')
    await hub.say('after')
    await texts('before', 'missed', 'after')
  })

  test('[I11] a client of the caller is used again when the caller has connected it again', async () => {
    const hub = await startHub()
    const client = await hub.connect(kind)
    const { onData, problem, texts } = subscriber()
    await open(client).subscribe(INBOX, onData)
    await hub.say('before')
    await texts('before')
    await client.close()
    await problem()
    await hub.say('missed')
    await client.connectAgain()
    await texts('before', 'missed')
    await hub.say('after')
    await texts('before', 'missed', 'after')
  })

  test('[I12] several subscribers of one resource share one subscription', async () => {
    const hub = await startHub()
    const manager = open(await hub.connect(kind))
    const [one, two] = [subscriber(), subscriber()]
    const [endOne, endTwo] = await Promise.all([
      manager.subscribe(INBOX, one.onData),
      manager.subscribe(INBOX, two.onData),
    ])
    await hub.say('hello')
    await Promise.all([one.texts('hello'), two.texts('hello')])
    await endOne()
    await hub.say('again')
    await two.texts('hello', 'again')
    expect(one.told).toEqual([])
    const begun = kind === '2026-era' ? 'subscriptions/listen' : 'resources/subscribe'
    const ended = kind === '2026-era' ? 'notifications/cancelled' : 'resources/unsubscribe'
    expect(hub.requests.filter((method) => method === begun)).toHaveLength(1)
    expect(hub.requests).not.toContain(ended)
    await endTwo()
    if (kind !== '2026-era') expect(hub.requests).toContain(ended)
    const { onData, texts } = subscriber()
    await manager.subscribe(INBOX, onData)
    await hub.say('back')
    await texts('hello', 'again', 'back')
    hub.requests.length = 0
    manager.close()
    await eventually(() => expect(hub.requests).not.toEqual([]))
    expect(hub.requests).toEqual([ended])
  })

  test('[I44] [I45] what an assistant posts is read without a notification, and its own posts at once', async () => {
    const hub = await startHub()
    const [patient, impatient] = [subscriber(), subscriber()]
    const manager = open(await hub.connect(kind))
    await manager.subscribe(INBOX, patient.onData)
    await open(await hub.connect(kind), 10).subscribe(INBOX, impatient.onData)
    await hub.post('from the assistant')
    await impatient.texts('from the assistant')
    const { id } = await manager.call<{ id: string }>('chat_human_post', { mime: 'text/plain', content: 'mine' })
    expect(id).toMatch(/^\d+$/)
    await patient.texts('from the assistant', 'mine')
    await expect(manager.call('chat_human_post', {})).rejects.toThrow('"mime" must be')
  })

  test('[I10] a resource that is refused is told as an error, and disturbs no other', async () => {
    const hub = await startHub()
    const manager = open(await hub.connect(kind))
    const [wrong, right] = [subscriber(), subscriber()]
    await manager.subscribe('ui://nothing', wrong.onData)
    await manager.subscribe(INBOX, right.onData)
    expect(await wrong.problem()).toMatchObject({
      error: 'refused',
      message: expect.stringContaining('Unknown resource ui://nothing'),
    })
    await hub.say('hello')
    await right.texts('hello')
  })
})

test('[I11] a client without sessions needs nobody to connect it again', async () => {
  const hub = await startHub()
  const { onData, problem, texts } = subscriber()
  await open(await hub.connect('2026-era')).subscribe(INBOX, onData)
  await hub.stop()
  await problem()
  await hub.sayUnheard('missed')
  await hub.start()
  await texts('missed')
  await hub.say('after')
  await texts('missed', 'after')
})

test('[I10] a burst of notifications is read at most twice', async () => {
  const { promise: second, resolve: finishSecond } = Promise.withResolvers<void>()
  const client = fakeClient({ read: () => (client.reads === 2 ? second : undefined) })
  const { onData, told } = subscriber()
  await open(client).subscribe(INBOX, onData)
  for (let n = 0; n < 20; n++) client.fallbackNotificationHandler?.(updated)
  await eventually(() => expect(client.reads).toBe(2))
  finishSecond()
  await eventually(() => expect(told).toHaveLength(3))
  expect(client.reads).toBe(3)
})

test('[I11] attempts to connect again come at growing intervals, and the loss is told once', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  vi.spyOn(Math, 'random').mockReturnValue(1)
  onTestFinished(() => void vi.restoreAllMocks())
  const attempts: number[] = []
  const { onData, told } = subscriber()
  await open(async () => {
    attempts.push(Date.now())
    throw new Error('Nobody answers')
  }).subscribe(INBOX, onData)
  await vi.advanceTimersByTimeAsync(40_000)
  const waits = attempts.slice(1).map((at, n) => at - (attempts[n] ?? 0))
  expect(waits).toEqual([250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000])
  expect(told).toEqual([{ error: 'disconnected', message: 'Nobody answers' }])
})

test('[I11] a page that is seen again reads again', async () => {
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' })
  vi.stubGlobal('document', page)
  onTestFinished(() => void vi.unstubAllGlobals())
  const client = fakeClient({})
  const { onData, told } = subscriber()
  const manager = open(client)
  await manager.subscribe(INBOX, onData)
  page.dispatchEvent(new Event('visibilitychange'))
  await eventually(() => expect(told).toHaveLength(2))
  page.visibilityState = 'hidden'
  page.dispatchEvent(new Event('visibilitychange'))
  manager.close()
  page.visibilityState = 'visible'
  page.dispatchEvent(new Event('visibilitychange'))
  expect(client.reads).toBe(2)
})

const updated = { method: 'notifications/resources/updated', params: { uri: INBOX } }

/** A client that counts what is read of it, and reads something else each time. */
function fakeClient({ read = () => {} }: { read?: () => Promise<void> | void }): McpClient & { reads: number } {
  return {
    reads: 0,
    async readResource({ uri }) {
      const text = `${++this.reads}`
      await read()
      return { contents: [{ uri, text }] }
    },
    callTool: async () => ({}),
    subscribeResource: async () => ({}),
    unsubscribeResource: async () => ({}),
    close: async () => {},
  }
}
