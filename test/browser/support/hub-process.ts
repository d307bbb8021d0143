import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { on, once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { WebSocket } from 'ws'
import { takeStartupLock } from '../../../src/hub/startup-lock.ts'
// What the hub loads later by itself is loaded here, with the tests: in the first test of a worker it would take its time.
import '../../../src/doors/http/early-page.ts'
import '../../../src/hub/front.ts'
import '../../../src/hub/hub.ts'
import { openHubProcess } from '../../../src/hub/hub-process.ts'
import type { Body } from '../../../src/protocol/entries/entry.ts'
import { TIMELINE, type TimelineFrame } from '../../../src/protocol/frames/timeline.ts'
import type { TimelineCommand } from '../../../src/protocol/frames/timeline-command.ts'
import type { Given } from '../../../src/protocol/settings.ts'
import { recordBy, recordIn } from '../../support/log.ts'

const BIN = fileURLToPath(new URL('../../../bin/parley.js', import.meta.url))

export type HubProcess = Awaited<ReturnType<typeof startHub>>

/** The first that can be had; a process of its own takes only the first. */
type Ports = readonly [number, ...number[]]

interface Running {
  url: string
  stop(): Promise<void>
  /** Where the log can be written to while nobody has come yet. */
  record?(conversations: Conversations): Promise<string[][]> | undefined
}

type Conversations = Record<string, Body[]>

/** As people start it, so that it can be killed. */
async function ownProcess(data: string, [port]: Ports, given: Given): Promise<Running> {
  const flags = Object.entries({ port: String(port), data, ...given }).flatMap(([name, value]) => [`--${name}`, value])
  const child = spawn(process.execPath, [BIN, 'serve', ...flags], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  return { url: await addressOf(child), stop }

  async function stop() {
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }
}

/**
 * The same hub, without a process to start. It listens at once and opens for the first who comes: until then its log can
 * be written to, which it would have to be closed for afterwards.
 */
async function thisProcess(data: string, ports: Ports, given: Given): Promise<Running> {
  const startupLock = await takeStartupLock({ data, host: '127.0.0.1', ports })
  const { url, thread, listener } = startupLock
  let recording: Promise<string[][]> | undefined
  let opening: ReturnType<typeof open> | undefined
  subscribe('net.server.socket', come)
  return { url, stop, record }

  function come(message: unknown) {
    const { localPort = listener.port } = (message as { socket: Socket }).socket
    if (localPort === listener.port) opening ??= open()
  }

  async function open() {
    unsubscribe('net.server.socket', come)
    await recording
    return openHubProcess({ startupLock, data, given: { log: 'error', ...given } })
  }

  function record(conversations: Conversations) {
    if (opening) return undefined
    recording = Promise.resolve(recording).then(() => recordBy(thread, conversations))
    return recording
  }

  async function stop() {
    unsubscribe('net.server.socket', come)
    if (opening) await (await opening).end('ending')
    else await startupLock.close()
  }
}

interface HubOptions {
  killable?: boolean
  given?: Given
  /** The hub listens there if nobody else does. */
  port?: number
}

/** A real hub with a log of its own. One that is `killable` has a process of its own; it can be killed and come back. */
export async function startHub({ killable = false, given = {}, port = 0 }: HubOptions) {
  const run = killable ? ownProcess : thisProcess
  const data = await mkdtemp(join(tmpdir(), 'parley-browser-'))
  const first = await run(data, killable ? [0] : [port, 0], given)
  const { url } = first
  let running: Running | undefined = first
  const guests: (() => Promise<void>)[] = []
  return {
    url,
    data,
    kill,
    restart,
    say,
    saveReply,
    mark,
    wish,
    start,
    report,
    act,
    record,
    recordAll,
    told,
    token,
    closeFirst,
    close,
  }

  async function kill() {
    if (!killable) throw new Error('This hub has no process to kill: test.use({ killable: true })')
    await stop()
  }

  async function stop() {
    await running?.stop()
    running = undefined
  }

  async function restart() {
    running = await run(data, [Number(new URL(url).port)], given)
  }

  /** Says it all as a person at another page. */
  async function say(conversation: string, texts: string[]) {
    const commands = texts.map((text): TimelineCommand => ({ type: 'post', key: randomUUID(), conversation, text }))
    await sendAll(url, commands)
  }

  /** As the same person did at another page. */
  async function saveReply(name: string, text: string) {
    await sendAll(url, [{ type: 'save_reply', key: randomUUID(), name, text }])
  }

  /** What that person keeps about conversations. */
  async function mark(changes: Extract<TimelineCommand, { type: 'mark' }>['changes']) {
    await sendAll(url, [{ type: 'mark', key: randomUUID(), changes }])
  }

  /** How that person wants it to be driven. */
  async function wish(conversation: string, wanted: { runner: string }) {
    await sendAll(url, [{ type: 'wish', key: randomUUID(), conversation, ...wanted }])
  }

  /** Begins a conversation with each of these words, in a folder and with Codex, however many there are. */
  async function start(folder: string, texts: string[]) {
    const wanted = { type: 'start', agent: 'codex', folder, more: true } as const
    await sendAll(
      url,
      texts.map((text): TimelineCommand => ({ ...wanted, key: randomUUID(), text })),
    )
  }

  /** Says it all as an assistant that does not wait for answers. */
  async function report(conversation: string, texts: string[]) {
    for (const content of texts) await call('ui_chat_assistant_post', conversation, { mime: 'text/markdown', content })
  }

  /** As an agent that uses a tool, or one that is done. */
  async function act(conversation: string, deed: 'begins npm test' | 'ends its turn') {
    if (deed === 'ends its turn') return call('loop_yield_turn', conversation, {})
    const step = { type: 'tool_call', tool_name: 'Bash', tool_args: '{"command":"npm test"}' }
    await call('ui_chat_assistant_event', conversation, step)
  }

  async function call(tool: string, conversation: string, input: object) {
    const body = JSON.stringify({ ...input, session_id: conversation })
    const { ok, statusText } = await fetch(`${url}/api/tools/${tool}`, { method: 'POST', body })
    if (!ok) throw new Error(statusText)
  }

  /** Begins a conversation with these entries and answers with their ids. */
  async function record(conversation: string, bodies: Body[]): Promise<string[]> {
    const [ids = []] = await recordAll({ [conversation]: bodies })
    return ids
  }

  /** In the log itself: a hub that holds it already is away meanwhile. */
  async function recordAll(conversations: Conversations): Promise<string[][]> {
    const early = running?.record?.(conversations)
    if (early) return early
    await stop()
    const recorded = await recordIn(data, conversations)
    await restart()
    return recorded
  }

  /** The newest entries of a conversation, as a page gets them. */
  async function told(conversation: string): Promise<Body[]> {
    const socket = await connect(url)
    socket.send(JSON.stringify({ type: 'hello', conversation }))
    for await (const [data] of on(socket, 'message')) {
      const frame = JSON.parse(String(data)) as TimelineFrame
      if (frame.type !== 'page') continue
      socket.close()
      return frame.entries.map(({ body }) => body)
    }
    return []
  }

  /** Runs `parley token …` on this hub's data and answers with what it prints. */
  async function token(...order: string[]): Promise<string> {
    const args = [BIN, 'token', ...order, '--data', data]
    const { stdout } = await promisify(execFile)(process.execPath, args)
    return stdout.trim()
  }

  /** The next hub may listen at the same address: nobody who was here may come there. */
  function closeFirst(guest: () => Promise<void>) {
    guests.push(guest)
  }

  async function close() {
    await Promise.all(guests.map((leave) => leave()))
    await stop()
    await rm(data, { recursive: true, force: true })
  }
}

function addressOf(child: ChildProcess): Promise<string> {
  let printed = ''
  return new Promise((resolve, reject) => {
    child.stderr?.on('data', (chunk) => {
      printed += chunk
      const [address] = /^http:\/\/localhost:\d+$/m.exec(printed) ?? []
      if (address) resolve(address)
    })
    child.on('exit', () => reject(new Error(`The hub ended: ${printed}`)))
  })
}

const ANSWERS: TimelineFrame['type'][] = ['accepted', 'started', 'marks', 'replies']

async function sendAll(url: string, commands: TimelineCommand[]) {
  const socket = await connect(url)
  let accepted = 0
  const done = new Promise<void>((resolve, reject) => {
    socket.on('error', reject)
    socket.on('message', (data) => {
      const frame = JSON.parse(String(data)) as TimelineFrame
      if (frame.type === 'refused') reject(new Error(frame.error))
      if (ANSWERS.includes(frame.type) && ++accepted === commands.length) resolve()
    })
  })
  for (const command of [{ type: 'hello' }, ...commands]) socket.send(JSON.stringify(command))
  await done
  socket.close()
}

async function connect(url: string): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws?dialect=${TIMELINE}`)
  await once(socket, 'open')
  return socket
}
