import type { ServerResponse } from 'node:http'
import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import { ParleyError } from '../protocol/errors.ts'
import { EXPORT_FORMATS, EXPORT_PATH, type ExportFormat, OWNER_HEADER } from '../protocol/export.ts'
import type { Principal } from '../protocol/principal.ts'
import type { Access } from './access.ts'
import type { Connection } from './open-connections.ts'
import type { Refusals } from './refusals.ts'
import { mustBePerson } from './roles.ts'

/** Conversations as files, as far as this door needs to know them. */
export interface Exports {
  open(wanted: { name: string; format: ExportFormat; only?: string }): Promise<{
    fileName: string
    contentType: string
    chunks: AsyncIterable<string>
  }>
}

export interface ExportParts {
  exports: Exports
  access: Access
  /** Whether this caller has shown the secret of the data folder. */
  isOwner(authorization: string | undefined): boolean
  admit(principal: Principal): void
  /** Ends the download when its principal may not call any more. */
  add(connection: Connection): void
  refuse: Refusals
}

/** A file to be kept: no browser shows it as a page of ours, and what is in it may not run if one does. */
const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** `GET /api/export/NAME?format=md`, for people and for whoever can read the data folder. */
export function exportRoute({ exports, access, isOwner, admit, add, refuse }: ExportParts) {
  return new Hono<{ Bindings: HttpBindings }>()
    .get(`${EXPORT_PATH}*`, async ({ req, env }) => {
      const only = letIn(env)
      const url = new URL(req.url)
      const wanted = { name: nameIn(url), format: formatIn(url), only }
      const { fileName, contentType, chunks } = await exports.open(wanted)
      const headers = { ...HEADERS, 'content-type': contentType, 'content-disposition': keepAs(fileName) }
      return known(env, new Response(streamed(chunks), { headers }))
    })
    .onError((error, { env }) => known(env, refuse.rest(error)))

  function known({ incoming }: HttpBindings, response: Response): Response {
    if (isOwner(incoming.headers.authorization)) response.headers.set(OWNER_HEADER, 'yes')
    return response
  }

  /** The one conversation that the caller may see, if there is only one. */
  function letIn({ incoming: { headers: credentials }, outgoing }: HttpBindings): string | undefined {
    if (isOwner(credentials.authorization)) return undefined
    const principal = access.principalOf(credentials, 'human')
    mustBePerson(principal)
    admit(principal)
    add({ credentials, principal, stream: outgoing as ServerResponse })
    return principal.conversation
  }
}

function nameIn({ pathname }: URL): string {
  try {
    return decodeURIComponent(pathname.slice(EXPORT_PATH.length))
  } catch {
    throw new ParleyError('not_found', { path: pathname })
  }
}

function formatIn({ searchParams }: URL): ExportFormat {
  const format = searchParams.get('format') ?? 'md'
  const known = EXPORT_FORMATS.find((name) => name === format)
  if (!known) throw new ParleyError('unknown_format', { format, known: EXPORT_FORMATS.join(', ') })
  return known
}

/** A page of it is read when the one before has left, so that a slow reader costs no memory. */
function streamed(chunks: AsyncIterable<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const iterator = chunks[Symbol.asyncIterator]()
  return new ReadableStream(
    {
      async pull(controller) {
        const { value, done } = await iterator.next()
        if (done) controller.close()
        else controller.enqueue(encoder.encode(value))
      },
      async cancel() {
        await iterator.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}

function keepAs(fileName: string): string {
  const ascii = fileName.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(fileName).replace(/['()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`)
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}
