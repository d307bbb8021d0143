import { randomUUID } from 'node:crypto'
import { type IncomingMessage, request as openRequest } from 'node:http'
import { text } from 'node:stream/consumers'
import { connectToHub } from '../../../src/doors/socket/connect.ts'
import { DEVICE_END_PATH, DEVICE_NAME_PATH, DEVICES_PATH } from '../../../src/protocol/devices.ts'
import { CHANGES_PATH } from '../../../src/protocol/frames/asked/changes.ts'
import { CHOICES_PATH } from '../../../src/protocol/frames/asked/choices.ts'
import { EXPORT_PATH, exportPath } from '../../../src/protocol/frames/export.ts'
import { OWNER_HEADER } from '../../../src/protocol/frames/link-format.ts'
import { CONVERSATIONS_PATH } from '../../../src/protocol/frames/listed-conversation.ts'
import { CALLBACK_PATH } from '../../../src/protocol/frames/sign-in-callback.ts'
import { REVEAL_PATH } from '../../../src/protocol/secrets/clear-text.ts'
import { AUDIT_PATH, AUDIT_VERIFY_PATH } from '../../../src/protocol/tools/audit.ts'
import { DECIDED_CALLS_PATH } from '../../../src/protocol/tools/decided-call.ts'
import { type Actor, HERE, type TableHub } from './actors.ts'
import { attachedIn } from './attached.ts'
import type { Door } from './door.ts'
import { inputOf, type Scene, setScene } from './scene.ts'
import { schemaOf } from './tool-schema.ts'
import { type Outcome, ofAnswer } from './verdict.ts'

interface Asked {
  path: string
  headers?: Record<string, string>
  body?: string
}

/** What each route is asked, by its method and path. */
const REQUESTS: Record<string, (scene: Scene, hub: TableHub) => Asked | Promise<Asked>> = {
  'GET /': () => ({ path: '/' }),
  'GET /nowhere': () => ({ path: '/nowhere' }),
  // Whoever has the link is who it was made for.
  'GET /sign-in/:code': async (_, hub) => ({ path: `/sign-in/${await linkOf(hub)}` }),
  'POST /sign-in/:code': async (_, hub) => ({ path: `/sign-in/${await linkOf(hub)}` }),
  'POST /sign-out': async (_, { tokens }) => ({ path: '/sign-out', headers: await signedIn(tokens) }),
  [`GET ${CALLBACK_PATH}`]: () => ({ path: `${CALLBACK_PATH}?state=guessed&code=guessed` }),
  'POST /api/attachments': () => ({ path: '/api/attachments', headers: PLAIN, body: randomUUID() }),
  'GET /attachments/:hash/:name': async (_, hub) => ({ path: `/attachments/${await attachedIn(hub, HERE)}/a.txt` }),
  [`GET ${EXPORT_PATH}*`]: () => ({ path: exportPath(HERE, 'md') }),
  [`GET ${DECIDED_CALLS_PATH}`]: () => ({ path: DECIDED_CALLS_PATH }),
  [`GET ${CONVERSATIONS_PATH}`]: () => ({ path: CONVERSATIONS_PATH }),
  [`POST ${REVEAL_PATH}`]: ({ question }) => ({ path: REVEAL_PATH, body: JSON.stringify({ entry: question }) }),
  [`POST ${CHANGES_PATH}`]: () => ({ path: CHANGES_PATH, body: JSON.stringify({ conversation: HERE }) }),
  [`POST ${CHOICES_PATH}`]: () => ({
    path: CHOICES_PATH,
    body: JSON.stringify({ conversation: HERE, list: 'models' }),
  }),
  [`GET ${DEVICES_PATH}`]: () => ({ path: DEVICES_PATH }),
  [`POST ${DEVICE_NAME_PATH}`]: () => ({ path: DEVICE_NAME_PATH, body: '{"name":"Phone"}' }),
  [`POST ${DEVICE_END_PATH}`]: () => ({ path: DEVICE_END_PATH, body: '{"id":"guessed"}' }),
  [`GET ${AUDIT_PATH}`]: () => ({ path: AUDIT_PATH }),
  [`GET ${AUDIT_VERIFY_PATH}`]: () => ({ path: AUDIT_VERIFY_PATH }),
  'GET /healthz': () => ({ path: '/healthz' }),
  'GET /readyz': () => ({ path: '/readyz' }),
  'GET /metrics': () => ({ path: '/metrics' }),
}
const PLAIN = { 'content-type': 'text/plain', 'x-name': 'a.txt' }
/** Doors of their own: each tool is an act there. */
const CALLS = ['POST /api/mcp/call', 'POST /api/tools/:name']
/** Requests that are not among the routes: files of the page, and what there is not. */
const BESIDES = ['GET /', 'GET /nowhere']

/** Every route, over the network and over the socket of the folder. */
export function routeDoors({ doors }: TableHub): Door[] {
  const routes = doors.routes.filter(({ method }) => method !== 'ALL').map(({ method, path }) => `${method} ${path}`)
  const acts = [...BESIDES, ...new Set(routes)].filter((act) => !CALLS.includes(act))
  return [
    { name: 'HTTP', acts, drive: (act, actor) => ask(act, actor, overNetwork) },
    {
      name: 'HTTP over the socket of the folder',
      isSocket: true,
      acts,
      drive: (act, actor) => ask(act, actor, overSocket),
    },
  ]
}

/** Every tool that can be called without MCP. */
export function restDoors({ doors }: TableHub): Door[] {
  const acts = Object.entries(doors.servers).flatMap(([server, tools]) => tools.map(({ name }) => `${server} ${name}`))
  return [
    { name: 'POST /api/mcp/call', quarter: 1, acts, drive: (act, actor) => call(act, actor, byServer) },
    { name: 'POST /api/tools/:name', quarter: 3, acts, drive: (act, actor) => call(act, actor, byName) },
  ]

  function byServer(server: string, tool: string, input: object): Asked {
    return { path: '/api/mcp/call', body: JSON.stringify({ server, tool, arguments: input }) }
  }

  function byName(server: string, tool: string, input: object): Asked {
    return { path: `/api/tools/${server}_${tool}`, body: JSON.stringify(input) }
  }
}

/** A browser of its own, which is signed in where people sign in. */
async function signedIn(tokens: TableHub['tokens']): Promise<Record<string, string>> {
  if (!tokens.exist()) return {}
  const { cookie, pageKey } = await tokens.trade(await tokens.link('local'))
  return { cookie: `parley=${cookie}`, 'x-parley-key': pageKey }
}

/** Nobody has one where nobody signs in. */
async function linkOf({ tokens }: TableHub): Promise<string> {
  return tokens.exist() ? tokens.link('local') : 'guessed'
}

type Send = (actor: Actor, method: string, asked: Asked) => Promise<{ status: number; body: string }>

async function ask(act: string, actor: Actor, send: Send): Promise<Outcome> {
  const made = REQUESTS[act]
  if (!made) throw new Error(`Nobody said in ${import.meta.filename} how ${act} is asked`)
  const scene = await setScene(actor, act, 'human')
  const { status, body } = await send(actor, act.split(' ')[0] ?? '', await made(scene, actor.hub))
  return ofAnswer(status, body)
}

async function call(act: string, actor: Actor, asked: (server: string, tool: string, input: object) => Asked) {
  const [server = '', name = ''] = act.split(' ')
  const tool = actor.hub.doors.servers[server as 'chat']?.find((one) => one.name === name)
  if (!tool) throw new Error(`There is no tool ${name}`)
  const scene = await setScene(actor, act, 'human')
  const { status, body } = await overNetwork(actor, 'POST', asked(server, name, inputOf(name, schemaOf(tool), scene)))
  return ofAnswer(status, body)
}

async function overNetwork({ hub, headers }: Actor, method: string, { path, headers: more, body }: Asked) {
  const init = { method, headers: { ...headers, ...more }, body, signal: AbortSignal.timeout(10_000) }
  const response = await fetch(hub.url + path, init)
  return { status: response.status, body: await response.text() }
}

async function overSocket({ hub, shows }: Actor, method: string, { path, headers: more, body }: Asked) {
  const socket = await connectToHub(hub.data)
  if (!socket) throw new Error('Nobody listens there')
  const headers = {
    host: 'localhost',
    connection: 'close',
    ...more,
    ...(shows.key && { [OWNER_HEADER]: shows.key }),
    ...(shows.token && { authorization: `Bearer ${shows.token}` }),
  }
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const outgoing = openRequest({ method, path, headers, createConnection: () => socket }, resolve)
  outgoing.on('error', reject)
  outgoing.end(body)
  const response = await promise
  return { status: response.statusCode ?? 0, body: await text(response) }
}
