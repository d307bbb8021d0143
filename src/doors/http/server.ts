import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import type { View } from '../../chat/view.ts'
import type { FileStore } from '../../files/file-store.ts'
import { type ErrorCode, ParleyError } from '../../protocol/errors.ts'
import { FILE_KEY_PARAMETER, PAGE_KEY_HEADER } from '../../protocol/frames/page-key.ts'
import { offeredIn } from '../../protocol/frames/subprotocols.ts'
import type { Principal, Role } from '../../protocol/principal.ts'
import { type Access, type Credentials, digestOf } from './access/access.ts'
import { signIn } from './access/sign-in.ts'
import { guardOf, refuseElsewhere } from './guard.ts'
import type { Listener, ServeFiles } from './listener.ts'
import { trackConnections } from './open-connections.ts'
import { otherOrigins } from './other-origins.ts'
import { createRefusals } from './refusals.ts'
import { type RequestContext, requestContextOf } from './request-context.ts'
import { askedRoutes } from './routes/asked-routes.ts'
import { attachmentRoutes } from './routes/attachments.ts'
import { type AuditReading, auditRoutes } from './routes/audit-routes.ts'
import { deviceRoutes } from './routes/device-routes.ts'
import { type Exports, exportRoute } from './routes/export-route.ts'
import { type FinishSignIn, mountSignIn } from './routes/mount-sign-in.ts'
import { type RestTools, restRoutes } from './routes/rest.ts'
import { revealRoute } from './routes/reveal-route.ts'
import { type Status, statusRoutes } from './routes/status.ts'

/** A fetch handler at a path of its own. */
export interface HttpEndpoint {
  path: string
  /** The role of its callers where there are no tokens. */
  role: Role
  fetch(request: Request, principal: Principal, requestContext: RequestContext): Promise<Response>
}

/** Who wants a WebSocket, and whether a page asks that is not the hub's own. */
interface WsCaller {
  view: View
  now(): Principal
  isOtherOrigin: boolean
}

type Api = ReturnType<typeof import('@hono/node-server').getRequestListener>

interface HttpParts {
  listener: Listener
  page: ServeFiles
  access: Access
  /** Origins of other pages that may use the hub. */
  origins?: readonly string[]
  /** The chat as this principal may use it. */
  viewOf(principal: Principal): View
  endpoints: HttpEndpoint[]
  tools: RestTools
  finishSignIn: FinishSignIn
  files: FileStore
  exports: Exports
  /** Absent where nothing is kept. */
  audit?: AuditReading
  status: Status
  requestLimitBytes: number
  /** How many WebSockets and requests to endpoints may be open at once. */
  mostConnections: number
  /** Lets a request of this principal in, or throws why not. */
  admit(principal: Principal): void
  /** Takes over a connection for WebSocket, or throws why not. */
  upgrade(request: IncomingMessage, stream: Duplex, head: Buffer, url: URL, caller: WsCaller): void
  refused(code: ErrorCode): void
  report(error: unknown): void
}

/**
 * What the listener answers: the page, the endpoints, health, and the way to `/ws`. Everything passes the guard first.
 */
export function serveHttp(parts: HttpParts) {
  const { listener, page, access, viewOf, endpoints, tools, files, requestLimitBytes, admit, upgrade, report } = parts
  const { isFromFolder, isOwner } = listener
  const others = otherOrigins(parts.origins)
  const guardAll = guardOf(listener.host, others)
  const refuse = createRefusals({ refused: parts.refused, report })
  const connections = trackConnections({ access, most: parts.mostConnections, report })
  const app = new Hono<{ Bindings: HttpBindings }>()
    .route('/', signIn({ access, refuse, signedOut: connections.sweep }))
    .route('/', mountSignIn({ finish: parts.finishSignIn, refuse }))
    .route('/', attachmentRoutes({ files, viewOf, admit: admitPerson, admitReader, refuse }))
    .route('/', exportRoute({ exports: parts.exports, viewOf, isOwner, admit: admitReader, refuse }))
    .route('/', revealRoute({ viewOf, admit: admitPerson, refuse }))
    .route('/', askedRoutes({ viewOf, admit: admitPerson, refuse }))
    .route('/', deviceRoutes({ devices: access.devices, admit: admitPerson, refuse, signedOut: connections.sweep }))
    .route('/', auditRoutes({ audit: parts.audit, isOwner, refuse }))
    .route('/api', restRoutes({ tools, access, admit, refuse, limitBytes: requestLimitBytes }))
    .route('/', statusRoutes({ status: parts.status, access, refuse }))
    .notFound(({ req, env }) => {
      // A caller that may not come in is not told what there is.
      access.principalOf(env.incoming.headers, 'human')
      return refuse.call(new ParleyError('not_found', { path: req.path }))
    })
    .onError(refuse.call)
  for (const { path, role, fetch } of endpoints)
    app.all(path, ({ req, env }) => {
      const credentials = env.incoming.headers
      const principal = access.principalOf(credentials, role)
      admit(principal)
      const stream = env.outgoing as ServerResponse
      connections.add({ credentials, principal, stream })
      const outlasting = (end: () => void) => connections.watch({ credentials, principal, end })
      return fetch(req.raw, principal, requestContextOf(stream, { shown: digestOf(credentials), outlasting }))
    })
  let api: Promise<Api> | undefined

  listener.serve({ request: answer, upgrade: letUp, asksForTokens: access.asksForTokens, refuse: refuse.upgrade })
  const routes = app.routes.map(({ method, path }) => ({ method, path }))
  return { connections: connections.count, routes, close }

  function answer(request: IncomingMessage, response: ServerResponse) {
    const looking = listener.mustBeKnown(request)
    if (!looking) return answerKnown(request, response)
    looking.then(
      () => answerKnown(request, response),
      (error) => refuse.request(response, error),
    )
  }

  function answerKnown(request: IncomingMessage, response: ServerResponse) {
    others.greet(request, response)
    if (!passes(guard, request, response) || others.answerPreflight(request, response)) return
    page(request, response, () => answerData(request, response))
  }

  function answerData(request: IncomingMessage, response: ServerResponse) {
    if (!others.mayCome(request)) response.setHeader('cross-origin-resource-policy', 'same-origin')
    if (!passes(refuseElsewhere, request, response)) return
    answerApi(request, response).catch((error) => refuse.request(response, error))
  }

  /** Loaded for the first who needs it: with it comes Node's own `fetch`, which takes a tenth of a hub's start. */
  async function answerApi(request: IncomingMessage, response: ServerResponse) {
    api ??= import('@hono/node-server').then(({ getRequestListener }) => getRequestListener(app.fetch))
    const answerIt = await api
    await answerIt(request, response)
  }

  /** Errors that are no refusals of ours are reported, here and below, and answered as a fault of the hub. */
  function passes(check: (request: IncomingMessage) => void, request: IncomingMessage, response: ServerResponse) {
    try {
      check(request)
      return true
    } catch (error) {
      refuse.request(response, error)
      return false
    }
  }

  async function letUp(request: IncomingMessage, stream: Duplex, head: Buffer) {
    try {
      await listener.mustBeKnown(request)
      if (stream.destroyed) return
      guard(request)
      const url = URL.parse(request.url ?? '', 'http://localhost')
      if (url?.pathname !== '/ws') throw new ParleyError('not_found', { path: url?.pathname ?? request.url ?? '' })
      const credentials = credentialsOf(request)
      const now = () => access.principalOf(credentials, 'human')
      const principal = now()
      const view = viewOf(principal)
      view.mustBeAbleTo('speak')
      connections.add({ credentials, principal, stream })
      upgrade(request, stream, head, url, { view, now, isOtherOrigin: others.mayCome(request) })
    } catch (error) {
      refuse.upgrade(stream, error)
    }
  }

  /** No page of another site comes over the socket of the folder. */
  function guard(request: IncomingMessage) {
    if (!isFromFolder(request)) guardAll(request)
  }

  /** Images and downloads carry no headers, so that their addresses carry what of its key a page may show there. */
  function admitReader({ incoming, outgoing }: HttpBindings): Principal {
    const fileKey = URL.parse(incoming.url ?? '', 'http://localhost')?.searchParams.get(FILE_KEY_PARAMETER)
    return admitAs({ ...incoming.headers, fileKey: fileKey ?? undefined }, outgoing)
  }

  function admitPerson({ incoming, outgoing }: HttpBindings): Principal {
    return admitAs(incoming.headers, outgoing)
  }

  function admitAs(credentials: Credentials, outgoing: HttpBindings['outgoing']): Principal {
    const principal = access.principalOf(credentials, 'human')
    viewOf(principal).mustBeAbleTo('speak')
    admit(principal)
    connections.add({ credentials, principal, stream: outgoing })
    return principal
  }

  async function close() {
    connections.close()
    await listener.close()
  }
}

/**
 * A page can set no header when it opens a WebSocket, so that its token or key may be among what it offers to speak.
 */
function credentialsOf({ headers: { authorization, cookie, ...headers } }: IncomingMessage): Credentials {
  const { token, pageKey } = offeredIn(headers['sec-websocket-protocol'])
  return {
    authorization: authorization ?? (token === undefined ? undefined : `Bearer ${token}`),
    cookie,
    [PAGE_KEY_HEADER]: headers[PAGE_KEY_HEADER] ?? pageKey,
  }
}
