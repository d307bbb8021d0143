import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { INBOX } from '../protocol/frames/inbox.ts'
import type { McpClient } from './mcp-client.ts'
import { createSubscriptionManager, type Data, type Options, type Problem } from './subscriptions.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A server with one text, and when it was read. */
function server() {
  const started = Date.now()
  const readAt: number[] = []
  const answers = { text: 'first', problem: undefined as Error | undefined }
  const client: McpClient = {
    async readResource({ uri }) {
      readAt.push(Date.now() - started)
      if (answers.problem) throw answers.problem
      return { contents: [{ uri, text: answers.text }] }
    },
    callTool: async ({ name }) =>
      name === 'refused' ? { isError: true, content: [{ text: 'No' }] } : { structuredContent: { id: '1' } },
    subscribeResource: async () => ({}),
    unsubscribeResource: async () => ({}),
    close: async () => {},
  }
  const notify = () =>
    client.fallbackNotificationHandler?.({ method: 'notifications/resources/updated', params: { uri: INBOX } })
  /** Every read since the last time this was asked, and how long the waits before them were. */
  const waits = () => readAt.splice(0, readAt.length - 1).map((at, n, all) => (all[n + 1] ?? readAt[0] ?? at) - at)
  return { client, answers, notify, readAt, waits }
}

async function subscribed(client: McpClient, options?: Options) {
  const told: (Data | Problem)[] = []
  const manager = createSubscriptionManager(client, options)
  onTestFinished(manager.close)
  const end = await manager.subscribe(INBOX, (data) => told.push(data))
  return { manager, told, end }
}

function pageThat(visibilityState: 'visible' | 'hidden') {
  const page = Object.assign(new EventTarget(), { visibilityState })
  vi.stubGlobal('document', page)
  onTestFinished(() => void vi.unstubAllGlobals())
  return (state: 'visible' | 'hidden') => {
    page.visibilityState = state
    page.dispatchEvent(new Event('visibilitychange'))
  }
}

test('[I44] what is subscribed to is read again, ever more rarely while nothing changes, which nobody is told', async () => {
  const { client, waits } = server()
  const { told } = await subscribed(client)
  await vi.advanceTimersByTimeAsync(150_000)
  expect(waits()).toEqual([3000, 4500, 6750, 10_125, 15_187.5, 22_781.25, 30_000, 30_000].map(Math.floor))
  expect(told).toHaveLength(1)
})

test('[I44] any change brings the reads back to their pace, and is told once', async () => {
  const { client, answers, waits } = server()
  const { told } = await subscribed(client)
  await vi.advanceTimersByTimeAsync(3000 + 4500)
  answers.text = 'second'
  await vi.advanceTimersByTimeAsync(6750)
  expect(told.at(-1)).toMatchObject([{ text: 'second' }])
  waits()
  await vi.advanceTimersByTimeAsync(3000 + 4500)
  expect(waits()).toEqual([3000, 4500])
  expect(told).toHaveLength(2)
})

test('[I44] so does a notification, though nothing is new', async () => {
  const { client, notify, waits } = server()
  const { told } = await subscribed(client)
  await vi.advanceTimersByTimeAsync(3000 + 4500 + 1000)
  await notify()
  await vi.advanceTimersByTimeAsync(3000)
  expect(waits()).toEqual([3000, 4500, 1000, 3000])
  expect(told).toHaveLength(1)
})

test('[I44] a hidden page reads nothing, and everything at once when it is seen again', async () => {
  const { client, readAt } = server()
  const show = pageThat('visible')
  await subscribed(client)
  show('hidden')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(readAt).toEqual([0])
  show('visible')
  await vi.advanceTimersByTimeAsync(3000)
  expect(readAt).toEqual([0, 60_000, 63_000])
})

test('[I44] without a connection only attempts to connect are made, and with one all goes on', async () => {
  const { client, answers, readAt } = server()
  vi.spyOn(Math, 'random').mockReturnValue(1)
  onTestFinished(() => void vi.restoreAllMocks())
  const { told } = await subscribed(client)
  answers.problem = new Error('Nobody answers')
  await vi.advanceTimersByTimeAsync(3000 + 250 + 500 + 1000 + 2000 + 4000)
  answers.problem = undefined
  await vi.advanceTimersByTimeAsync(8000 + 3000)
  expect(readAt).toEqual([0, 3000, 3250, 3750, 4750, 6750, 10_750, 18_750, 21_750])
  expect(told).toMatchObject([[{ text: 'first' }], { error: 'disconnected' }, [{ text: 'first' }]])
})

test('[I44] the pace is an option, and 0 switches it off', async () => {
  const [slow, never] = [server(), server()]
  await Promise.all([subscribed(slow.client, { readEveryMs: 40_000 }), subscribed(never.client, { readEveryMs: 0 })])
  await vi.advanceTimersByTimeAsync(80_000)
  expect(slow.readAt).toEqual([0, 40_000, 80_000])
  expect(never.readAt).toEqual([0])
})

test('[I44] in Node no process lives on only to read again', async () => {
  vi.useRealTimers()
  const started = vi.spyOn(globalThis, 'setTimeout')
  onTestFinished(() => void vi.restoreAllMocks())
  await subscribed(server().client)
  expect(started.mock.results.map(({ value }) => value.hasRef())).toEqual([false])
})

test('[I44] when nobody subscribes any more nothing is read, and who comes later is told at once', async () => {
  const { client, readAt } = server()
  const { end, manager } = await subscribed(client)
  await end()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(readAt).toEqual([0])
  const [one, two] = [vi.fn(), vi.fn()]
  await manager.subscribe(INBOX, one)
  await manager.subscribe(INBOX, two)
  expect([one.mock.calls.length, two.mock.calls.length]).toEqual([1, 1])
  await vi.advanceTimersByTimeAsync(3000)
  expect(readAt).toEqual([0, 60_000, 60_000, 63_000])
})

test('[I45] a call over the manager answers with its data, and everything is read at once', async () => {
  const { client, answers, readAt } = server()
  const { manager, told } = await subscribed(client)
  await vi.advanceTimersByTimeAsync(1000)
  answers.text = 'posted'
  expect(await manager.call<{ id: string }>('chat_human_post', { mime: 'text/plain', content: 'x' })).toEqual({
    id: '1',
  })
  await vi.advanceTimersByTimeAsync(0)
  expect(told.at(-1)).toMatchObject([{ text: 'posted' }])
  await vi.advanceTimersByTimeAsync(3000)
  expect(readAt).toEqual([0, 1000, 4000])
  await expect(manager.call('refused')).rejects.toThrow('No')
  manager.close()
  await expect(manager.call('chat_human_post')).rejects.toThrow('This was closed, and calls nothing any more')
})
