import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { connectToHub } from '../../src/doors/socket/connect.ts'
import { readLines } from '../../src/io/lines.ts'
import { LINK_FORMAT } from '../../src/protocol/frames/link-format.ts'
import { VERSION } from '../../src/protocol/version.ts'
import type { Era } from '../support/agent.ts'
import { eventually } from '../support/eventually.ts'
import { startHubWithSocket, temporaryFolder } from '../support/hub.ts'

const MIB = 1024 * 1024
const READS = 24
const OTHERS = 4
/** By whatever name. */
const NAMES = ['chat_read_since', 'chat.read.since', 'ui_read_since']
const LARGE = 'x'.repeat(0.9 * MIB)
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

interface Message {
  id?: number
  method?: string
  result?: { structuredContent?: { messages?: unknown[]; reply?: string } }
}

test.each<Era>(['legacy', 'modern'])(
  '[M80] of large answers that a line of the %s era asks for at once and does not read, few are made',
  async (era) => {
    const data = await temporaryFolder()
    const { view, url } = await startHubWithSocket(data)
    await view.say('work', { text: LARGE })
    const [line, other] = [await connect(data, 'chat', era), await connect(data, 'chat', era)]
    line.socket.pause()
    const ids = Array.from({ length: READS }, (_, n) => n + 1)
    // In one piece: all of them are there before the first is answered.
    line.socket.write(ids.map((id) => line.frame(id, NAMES[id % NAMES.length] ?? '', {})).join(''))
    await eventually(async () => expect(await begun(url, 'chat_read_since')).toBeGreaterThan(0))
    // The log is asked in turn, and who reads does not wait for who does not.
    for (let n = 1; n <= OTHERS; n++) await other.call(n, 'chat_read_since', {})
    expect((await begun(url, 'chat_read_since')) - OTHERS).toBeLessThan(10)
    line.socket.resume()
    for (const id of ids) expect((await line.answerTo(id)).result?.structuredContent?.messages).toHaveLength(1)
  },
)

test('[M80] what a line cancels ends although it does not read, and what it asks for begins when it does', async () => {
  const data = await temporaryFolder()
  const { view, url } = await startHubWithSocket(data)
  const line = await connect(data, 'agent')
  line.say(1, 'approve', { tool_name: 'Bash', input: { command: 'ls' } })
  await asked()
  for (let n = 0; n < 4; n++) await view.say('work', { text: LARGE })
  line.socket.pause()
  line.say(2, 'check_messages', {})
  await eventually(async () => expect(await begun(url, 'check_messages')).toBe(1))
  await eventually(async () => expect(await opened(url, 'check_messages')).toBe(0))
  line.say(3, 'send_message', { text: 'Never asked' })
  line.say(4, 'send_message', { text: 'Deploy?' })
  line.notify('notifications/cancelled', { requestId: 3 })
  line.notify('notifications/cancelled', { requestId: 1 })
  await eventually(async () => expect((await view.conversation('work')).open).toEqual([]))
  expect(await begun(url, 'send_message')).toBe(0)
  line.socket.resume()
  const question = await asked()
  expect(question?.text).toBe('Deploy?')
  await view.answer(question?.id ?? '', 'Yes')
  expect((await line.answerTo(4)).result?.structuredContent?.reply).toBe('Yes')

  function asked() {
    return eventually(async () => {
      const { open } = await view.conversation('work')
      expect(open).toHaveLength(1)
      return open[0]
    })
  }
})

test('[M80] a line that says more than may wait is heard no more, until it reads', async () => {
  const data = await temporaryFolder()
  const { view, url } = await startHubWithSocket(data)
  const line = await connect(data, 'agent')
  for (let n = 0; n < 4; n++) await view.say('work', { text: LARGE })
  line.socket.pause()
  line.say(1, 'check_messages', {})
  await eventually(async () => expect(await begun(url, 'check_messages')).toBe(1))
  await eventually(async () => expect(await opened(url, 'check_messages')).toBe(0))
  for (let id = 2; id < 34; id++) line.say(id, 'send_progress', { text: LARGE })
  // Each time there was time to read more.
  for (let n = 0; n < 20; n++) await view.say('elsewhere', { text: 'Hello' })
  expect(line.socket.writableLength).toBeGreaterThan(20 * MIB)
  line.socket.resume()
  for (let id = 2; id < 34; id++) await line.answerTo(id)
  expect(await begun(url, 'send_progress')).toBe(32)
})

test('[M80] calls that wait for people hold up nothing', async () => {
  const data = await temporaryFolder()
  const { view } = await startHubWithSocket(data)
  const line = await connect(data, 'agent')
  const ids = Array.from({ length: 50 }, (_, n) => n + 1)
  line.socket.write(ids.map((id) => line.frame(id, 'send_message', { text: `Question ${id}` })).join(''))
  await eventually(async () => expect((await view.conversation('work')).open).toHaveLength(ids.length))
  await line.call(100, 'check_messages', {})
  await line.call(101, 'set_title', { title: 'Many' })
})

/** How many calls of the tool have begun, and how many of them have not ended. */
async function begun(url: string, tool: string): Promise<number> {
  return (await opened(url, tool)) + (await counted(url, `parley_calls_total{tool="${tool}"`))
}

function opened(url: string, tool: string): Promise<number> {
  return counted(url, `parley_calls_open{tool="${tool}"`)
}

async function counted(url: string, series: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const lines = text.split('\n').filter((line) => line.startsWith(series))
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}

/** One connection of a line, with what it hears while it reads. */
async function connect(data: string, surface: string, era: Era = 'legacy') {
  const socket = (await connectToHub(data)) as Socket
  onTestFinished(() => void socket.destroy())
  const line = randomUUID()
  const heard = new Map<number, Message>()
  readLines(socket, {
    limitLength: 2 ** 30,
    line(text) {
      const { mcp } = JSON.parse(text) as { mcp?: Message }
      if (mcp?.id !== undefined) heard.set(mcp.id, mcp)
    },
    tooLong: expect.unreachable,
  })
  const about = { format: LINK_FORMAT, version: VERSION, line, title: 'work', folder: data, wants: {} }
  write({ hello: { ...about, surface, conversation: 'work' } })
  if (era === 'legacy') {
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } }
    write({ mcp: { jsonrpc: '2.0', id: 0, method: 'initialize', params }, key: `${line}:0` })
    await answerTo(0)
    notify('notifications/initialized')
  }
  return { socket, frame, say, call, notify, answerTo }

  function write(frame: object) {
    socket.write(`${JSON.stringify(frame)}\n`)
  }

  function frame(id: number, name: string, args: object) {
    const params = { name, arguments: args, ...(era === 'modern' && { _meta: META }) }
    return `${JSON.stringify({ mcp: { jsonrpc: '2.0', id, method: 'tools/call', params }, key: `${line}:${id}` })}\n`
  }

  function say(id: number, name: string, args: object) {
    socket.write(frame(id, name, args))
  }

  function call(id: number, name: string, args: object) {
    say(id, name, args)
    return answerTo(id)
  }

  function notify(method: string, params: object = {}) {
    write({ mcp: { jsonrpc: '2.0', method, params } })
  }

  function answerTo(id: number): Promise<Message> {
    return eventually(() => {
      const answer = heard.get(id)
      if (!answer) throw new Error(`No answer to ${id}`)
      return answer
    })
  }
}
