import type { IncomingMessage } from 'node:http'
import type { HttpBindings } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import type { View } from '../../../chat/view.ts'
import { ParleyError } from '../../../protocol/errors.ts'
import { EXPORT_FORMATS, EXPORT_PATH, type ExportFormat } from '../../../protocol/frames/export.ts'
import { CONVERSATIONS_PATH } from '../../../protocol/frames/listed-conversation.ts'
import { localPrincipal, type Principal } from '../../../protocol/principal.ts'
import { percentDecoded } from '../../../protocol/text/percent-decoded.ts'
import { DECIDED_CALLS_PATH } from '../../../protocol/tools/decided-call.ts'
import type { Refusals } from '../refusals.ts'
import { contentDisposition, OWN_PAGES_ONLY } from './file-headers.ts'

/** Conversations as files, as far as this door needs to know them. */
export interface Exports {
  open(wanted: { source: View; name: string; format: ExportFormat }): Promise<{
    fileName: string
    contentType: string
    chunks: AsyncIterable<string>
  }>
  /** People's decisions about calls, one a line. */
  decidedCalls(source: View): AsyncIterable<string>
  /** All conversations, one a line. */
  conversations(source: View): AsyncIterable<string>
}

interface ExportParts {
  exports: Exports
  viewOf(principal: Principal): View
  /** Whether this request came over the socket of the data folder, from who can read the folder. */
  isOwner(request: IncomingMessage): boolean
  /** The person who calls, or throws why it is none or may not now. */
  admit(bindings: HttpBindings): Principal
  refuse: Refusals
}

/** A file to be kept: no browser shows it as a page of ours, and what is in it may not run if one does. */
const HEADERS = {
  ...OWN_PAGES_ONLY,
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
}

/** `GET /api/export/NAME?format=md`, for people and for the owner of the data folder. */
export function exportRoute({ exports, viewOf, isOwner, admit, refuse }: ExportParts) {
  /** Principals whose export is being written. */
  const writing = new Set<string>()
  return new Hono<{ Bindings: HttpBindings }>()
    .get(`${EXPORT_PATH}*`, async ({ req, env }) => {
      mustBeWanted(req.header('sec-fetch-dest'))
      const source = letIn(env)
      const url = new URL(req.url)
      const wanted = { source, name: nameIn(url), format: formatIn(url) }
      if (req.method !== 'HEAD') takeTurn(source.principal.id, env.outgoing)
      const { fileName, contentType, chunks } = await exports.open(wanted)
      const headers = {
        ...HEADERS,
        'content-type': contentType,
        'content-disposition': contentDisposition('attachment', fileName),
      }
      return new Response(req.method === 'HEAD' ? null : streamed(chunks), { headers })
    })
    .get(DECIDED_CALLS_PATH, (context) => listed(context, exports.decidedCalls))
    .get(CONVERSATIONS_PATH, (context) => listed(context, exports.conversations))
    .onError(refuse.rest)

  /** For the owner of the data folder; for everybody else there is nothing here. */
  function listed({ env, req }: Context<{ Bindings: HttpBindings }>, lines: (source: View) => AsyncIterable<string>) {
    if (!isOwner(env.incoming)) throw new ParleyError('not_found', { path: req.path })
    const headers = { ...HEADERS, 'content-type': 'application/x-ndjson' }
    return new Response(streamed(lines(viewOf(localPrincipal('admin')))), { headers })
  }

  /** The turn ends when the answer has left, or its caller has. */
  function takeTurn(principal: string, answer: HttpBindings['outgoing']) {
    if (writing.has(principal)) throw new ParleyError('export_running')
    writing.add(principal)
    answer.once('close', () => writing.delete(principal))
  }

  /** The view of the caller. */
  function letIn(bindings: HttpBindings): View {
    return viewOf(isOwner(bindings.incoming) ? localPrincipal('admin') : admit(bindings))
  }
}

/**
 * Only downloads and programs get an export, never something that a page merely shows: an image in a message would be
 * enough.
 */
function mustBeWanted(dest = 'empty') {
  if (dest !== 'document' && dest !== 'empty') throw new ParleyError('export_shown', { dest })
}

function nameIn({ pathname }: URL): string {
  const name = percentDecoded(pathname.slice(EXPORT_PATH.length))
  if (name === undefined) throw new ParleyError('not_found', { path: pathname })
  return name
}

function formatIn({ searchParams }: URL): ExportFormat {
  const format = searchParams.get('format') ?? 'md'
  const known = EXPORT_FORMATS.find((name) => name === format)
  if (!known) throw new ParleyError('unknown_format', { format, known: EXPORT_FORMATS.join(', ') })
  return known
}

/** A page of it is read when the one before has left, so that a slow reader costs no memory. */
export function streamed(chunks: AsyncIterable<string>): ReadableStream<Uint8Array> {
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
