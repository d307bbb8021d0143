import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { connectToHub } from '../../../src/doors/socket/connect.ts'
import { FromLine, type Hello, Order } from '../../../src/protocol/frames/link.ts'
import { LINK_FORMAT } from '../../../src/protocol/frames/link-format.ts'
import { SURFACES, type SurfaceName } from '../../../src/protocol/frames/surface-name.ts'
import { VERSION } from '../../../src/protocol/version.ts'
import { type Actor, HERE, openTableHub, type TableHub } from './actors.ts'
import type { Door } from './door.ts'
import { actsOf, type Rpc, rpcFor } from './mcp-acts.ts'
import { INITIALIZE } from './mcp-doors.ts'
import { setScene } from './scene.ts'
import { codeIn, type Outcome, ofRpc, type RpcAnswer } from './verdict.ts'

type Told = { mcp?: RpcAnswer; refused?: string; welcome?: object } & Record<string, unknown>

/** What lines speak at each surface. */
export async function lineDoors(hub: TableHub): Promise<Door[]> {
  return Promise.all(SURFACES.map(async (surface) => lineDoor(surface, await actsOf(hub, surface))))
}

function lineDoor(surface: SurfaceName, acts: string[]): Door {
  const lines = new Map<Actor, ReturnType<typeof openLine>>()
  return { name: `A line at ${surface}`, isSocket: true, quarter: 2, acts, drive }

  async function drive(act: string, actor: Actor): Promise<Outcome> {
    const line = await (lines.get(actor) ?? openLine(actor, { surface }))
    if (line.refused !== undefined) return codeIn(line.refused) ?? line.refused
    if (!lines.has(actor)) {
      lines.set(actor, Promise.resolve(line))
      await line.call({ method: 'initialize', params: INITIALIZE })
    }
    const rpc = await rpcFor(act, actor, surface)
    return line.call(act === 'initialize' ? { ...rpc, params: INITIALIZE } : rpc)
  }
}

/** What the socket of the folder takes besides HTTP: a hello for each surface, what a line says, and orders. */
export function socketDoor(): Door {
  const hellos = [
    ...SURFACES.map((surface) => `hello ${surface}`),
    ...DRIVEN.map((driven) => `hello gateway ${driven}`),
  ]
  const frames = FromLine.def.options
    .flatMap(({ shape }) => Object.keys(shape).slice(0, 1))
    .filter((key) => key !== 'hello')
  return { name: 'The socket of the folder', isSocket: true, acts: [...hellos, ...frames, ...ordersIn()], drive }

  async function drive(act: string, actor: Actor): Promise<Outcome> {
    const [kind = '', ...about] = act.split(' ')
    if (kind === 'order') return order(about, actor)
    if (kind !== 'hello') return frame(kind, actor)
    const [surface, driven] = about as [SurfaceName, Hello['driven']]
    const { refused, end } = await openLine(actor, { surface, ...(driven && { driven }) })
    end()
    return refused === undefined ? 'yes' : (codeIn(refused) ?? refused)
  }
}

const DRIVEN = ['agent', 'model'] as const

function ordersIn(): string[] {
  return Order.def.options.flatMap(({ shape }) => {
    const orders = 'values' in shape.order.def ? shape.order.def.values : Object.values(shape.order.def.entries)
    const acts = 'act' in shape ? Object.values(shape.act.def.entries) : ['']
    return orders.flatMap((order) => acts.map((act) => `order ${order} ${act}`.trim()))
  })
}

async function order([order = '', act]: string[], actor: Actor): Promise<Outcome> {
  // Who may stop it stops one that nobody else needs.
  const { hub, shows } = order === 'stop' ? await alone(actor) : actor
  await setScene({ ...actor, hub }, `order ${order}`, 'human')
  const name = act === 'add' ? 'added' : 'spare'
  const more = act ? { act, name, config: { url: 'http://127.0.0.1:9/' } } : { conversation: HERE }
  const told = await hears(hub, { order, ...more, ...shows })
  return told.refused === undefined ? 'yes' : (codeIn(told.refused) ?? told.refused)
}

/** Without the key it is refused, and the hub that all share stays. */
async function alone(actor: Actor): Promise<Actor> {
  if (!actor.shows.key) return actor
  const hub = await openTableHub()
  if (actor.hub.tokens.exist()) await hub.tokens.protect()
  return { ...actor, hub, shows: { key: hub.key } }
}

/** The first that an order is answered with. */
async function hears(hub: TableHub, said: object): Promise<Told> {
  const socket = await connectTo(hub)
  socket.write(`${JSON.stringify(said)}\n`)
  for await (const line of createInterface({ input: socket })) {
    socket.destroy()
    return JSON.parse(line) as Told
  }
  return { refused: 'ended' }
}

/** What a line says once it is there; whether it is still there then tells a ping, or its end. */
async function frame(kind: string, actor: Actor): Promise<Outcome> {
  const line = await openLine(actor, { surface: 'bridge' })
  if (line.refused !== undefined) return codeIn(line.refused) ?? line.refused
  if (kind === 'mcp') return line.call({ method: 'initialize', params: INITIALIZE })
  line.say({ [kind]: kind === 'got' ? randomUUID() : true })
  const verdict = await Promise.race([line.call({ method: 'ping', params: {} }), line.closed.then(() => 'yes')])
  line.end()
  return verdict
}

async function openLine({ hub, shows }: Actor, more: Pick<Hello, 'surface' | 'driven'>) {
  const socket = await connectTo(hub)
  const waiting = new Map<unknown, (answer: RpcAnswer) => void>()
  const greeted = Promise.withResolvers<string | undefined>()
  const closed = new Promise<void>((resolve) => {
    for (const event of ['end', 'close']) socket.once(event, () => resolve())
  })
  void closed.then(() => greeted.resolve('ended'))
  createInterface({ input: socket }).on('line', hear)
  const hello: Hello = {
    format: LINK_FORMAT,
    version: VERSION,
    line: randomUUID(),
    conversation: HERE,
    title: HERE,
    folder: hub.data,
    wants: {},
    ...more,
    ...shows,
  }
  say({ hello })
  const refused = await greeted.promise
  return { refused, say, call, closed, end }

  /** One that leaves without a word would be waited for. */
  function end() {
    say({ bye: true })
    socket.end()
  }

  function say(frame: object) {
    socket.write(`${JSON.stringify(frame)}\n`)
  }

  function call(rpc: Rpc): Promise<Outcome> {
    const id = randomUUID()
    say({ key: id, mcp: { jsonrpc: '2.0', id, ...rpc } })
    const answered = new Promise<Outcome>((resolve) =>
      waiting.set(id, (answer) => {
        // What it brought has arrived.
        say({ got: id })
        resolve(ofRpc(answer))
      }),
    )
    return Promise.race([answered, closed.then(() => 'ended')])
  }

  function hear(text: string) {
    const { mcp, refused, welcome } = JSON.parse(text) as Told
    if (refused !== undefined) greeted.resolve(refused)
    if (welcome) greeted.resolve(undefined)
    if (mcp) waiting.get(mcp.id)?.(mcp)
  }
}

async function connectTo({ data }: TableHub): Promise<Socket> {
  const socket = await connectToHub(data)
  if (!socket) throw new Error('Nobody listens there')
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  return socket
}
