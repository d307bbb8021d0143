import { WebSocket } from 'ws'
import { connectToHub } from '../../../src/doors/socket/connect.ts'
import { LINK_FORMAT } from '../../../src/protocol/frames/link-format.ts'
import { SURFACES } from '../../../src/protocol/frames/surface-name.ts'
import { VERSION } from '../../../src/protocol/version.ts'
import { breakFrame, type Fields, wholeFrame } from '../fuzz/broken-frames.ts'
import { FUZZED } from '../fuzz/fuzzed-dialects.ts'
import { COMMANDS } from '../fuzz/schema-frames.ts'
import type { Tool } from './mcp-door.ts'
import { madeBy } from './values.ts'
import type { Who, World } from './world.ts'

const BATCH = 10
/** A line that hears nothing for so long has said what it wanted. */
const QUIET_MS = 30

/** `/ws`, in one of its dialects. */
export function dialectDoor(world: World, dialect: string) {
  const { dice } = world
  const { path, frames } = FUZZED[dialect] as (typeof FUZZED)[string]
  const makers = [...Object.values(frames), ...(dialect === 'timeline' ? [...COMMANDS.values(), ...verdicts()] : [])]
  const forget = COMMANDS.get('forget')
  let ws: WebSocket | undefined
  let who: Who = 'ada'
  return { name: `/ws (${dialect})`, step, close: () => ws?.terminate() }

  async function step() {
    if (ws?.readyState !== WebSocket.OPEN || dice.chance(0.05)) await arrive()
    if (ws?.readyState !== WebSocket.OPEN) return
    for (let n = 0; n < BATCH; n++) {
      const maker = dice.pick(makers)
      // What is forgotten cannot be judged.
      if (maker === forget && dice.chance(0.95)) continue
      const good = maker(dice, world.stock)
      const { bytes, binary } = dice.chance(0.5) ? wholeFrame(good) : breakFrame(dice, good)
      world.sends(who, bytes)
      ws.send(bytes, { binary })
    }
    ws.ping()
    await either(ws, 'pong', 'close')
  }

  async function arrive() {
    ws?.terminate()
    who = dice.pick(['ada', 'ada', 'ada', 'root', 'robot', 'boss', 'nobody'] as const)
    const only = dice.chance(0.2) ? '&session=mine' : ''
    world.sends(who, path)
    const opened = new WebSocket(world.url.replace('http', 'ws') + path + only, { headers: world.headersOf(who) })
    opened.on('error', () => {})
    opened.on('message', (data) => world.hears(String(data), `/ws (${dialect})`))
    await either(opened, 'open', 'close')
    ws = opened
    if (dialect === 'timeline' && opened.readyState === WebSocket.OPEN) opened.send('{"type":"hello"}')
  }
}

/** Verdicts are more frequent than other commands: they are what an agent must never give. */
function verdicts() {
  const makers = ['allow', 'deny', 'take_option'].flatMap((type) => COMMANDS.get(type) ?? [])
  return [...makers, ...makers, ...makers]
}

/** `once` takes an error for a failure of the test. */
function either(ws: WebSocket, ...events: string[]): Promise<void> {
  return new Promise((resolve) => {
    for (const event of events) ws.once(event, done)

    function done() {
      for (const event of events) ws.off(event, done)
      resolve()
    }
  })
}

/** A hub makes room for a newer Parley, as it should. */
function isNewer(bytes: Uint8Array): boolean {
  return /"version"/.test(String(bytes)) && !String(bytes).includes(`"version":"${VERSION}"`)
}

/** The socket of the data folder, as lines use it. */
export function lineDoor(world: World, tools: () => Tool[]) {
  const { dice, stock } = world
  let lines = 0
  let ids = 0
  return { name: 'the socket of the folder', step }

  async function step() {
    const socket = await connectToHub(world.data)
    if (!socket) throw new Error('Nobody listens on the socket of the folder')
    socket.on('error', () => {})
    socket.setEncoding('utf8').on('data', (text) => world.hears(String(text), 'the socket of the folder'))
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    const first: Fields = dice.chance(0.9) ? [['hello', JSON.stringify(hello())]] : [['order', '"status"']]
    say(dice.chance(0.8) ? first : frame())
    for (let n = dice.below(6); n > 0; n--) say(frame())
    await Promise.race([closed, quiet()])
    socket.destroy()

    function say(fields: Fields) {
      const broken = breakFrame(dice, fields)
      const { bytes } = dice.chance(0.7) || isNewer(broken.bytes) ? wholeFrame(fields) : broken
      world.sends('nobody', bytes)
      socket?.write(Buffer.concat([bytes, Buffer.from('\n')]))
    }

    function quiet(): Promise<void> {
      return new Promise((resolve) => {
        let clock = setTimeout(resolve, QUIET_MS)
        socket?.on('data', () => {
          clearTimeout(clock)
          clock = setTimeout(resolve, QUIET_MS)
        })
      })
    }
  }

  function hello() {
    return {
      format: LINK_FORMAT,
      version: VERSION,
      line: `line ${dice.chance(0.5) ? 0 : ++lines}`,
      surface: dice.pick(SURFACES),
      title: stock.unique().slice(0, 50),
      folder: '/tmp',
      wants: {},
      ...(dice.chance(0.3) && { conversation: dice.pick(stock.conversations) }),
      ...(dice.chance(0.3) && { token: 'robot-secret' }),
      ...(dice.chance(0.2) && { slips: [{ conversation: 'mine', replies: [dice.pick(stock.questions)] }] }),
    }
  }

  function frame(): Fields {
    const tool = dice.pick([...tools(), { name: 'nothing', inputSchema: {} }])
    const params = { name: tool.name, arguments: madeBy(tool.inputSchema, world) }
    const opening = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'fuzz', version: '1' } }
    const rpc = dice.pick([
      { method: 'initialize', params: opening },
      { method: 'tools/call', params },
      { method: 'tools/list', params: {} },
      { method: 'resources/subscribe', params: { uri: 'ui://chat/inbox' } },
    ])
    const key = JSON.stringify(`key ${++ids}`)
    const settlement = { kind: 'settlement', question: dice.pick(stock.questions), outcome: 'approved', by: 'ada' }
    return dice.pick<Fields>([
      [
        ['key', key],
        ['waited_ms', '5'],
        ['mcp', JSON.stringify({ jsonrpc: '2.0', id: ids, ...rpc })],
      ],
      [['got', key]],
      [['ending', 'true']],
      [['bye', 'true']],
      [['entry', JSON.stringify(settlement)]],
      [['mcp', JSON.stringify(settlement)]],
    ])
  }
}
