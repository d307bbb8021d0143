import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import type { View } from '../../../chat/view.ts'
import type { FileStore } from '../../../files/file-store.ts'
import { ATTACHMENT_LIMIT_BYTES, FileMime, FileName, plainName } from '../../../protocol/entries/attachment.ts'
import { ParleyError } from '../../../protocol/errors.ts'
import { parse } from '../../../protocol/parse.ts'
import type { Principal } from '../../../protocol/principal.ts'
import { PDF_MIME } from '../../../protocol/text/mime.ts'
import { percentDecoded } from '../../../protocol/text/percent-decoded.ts'
import type { Refusals } from '../refusals.ts'
import { contentDisposition, OWN_PAGES_ONLY } from './file-headers.ts'
import { partIn } from './part.ts'

interface AttachmentsParts {
  files: FileStore
  viewOf(principal: Principal): Pick<View, 'files'>
  /** The person who calls, or throws why it is none or may not now. */
  admit(bindings: HttpBindings): Principal
  /** The same, also by what only the address says. */
  admitReader(bindings: HttpBindings): Principal
  refuse: Refusals
}

/** Nothing in a file can run or load anything here, whatever it is and however it is opened. */
const SAFE = {
  ...OWN_PAGES_ONLY,
  'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'self'",
  'accept-ranges': 'bytes',
  // The content behind a hash never changes, and is nothing for caches that others share.
  'cache-control': 'private, max-age=31536000, immutable',
}

/** Files of the page: uploaded before they are said, and shown or downloaded by the hash of their content. */
export function attachmentRoutes({ files, viewOf, admit, admitReader, refuse }: AttachmentsParts) {
  return new Hono<{ Bindings: HttpBindings }>()
    .post('/api/attachments', async ({ req, env }) => {
      const view = viewOf(admit(env))
      const name = parse(FileName, nameOf(req.header('x-name'), req.query('name')))
      const mime = parse(FileMime, req.header('content-type') ?? '')
      const { hash } = await files.save(bodyOf(env.incoming))
      await view.files.uploaded(hash)
      return Response.json(files.describe({ hash, name, mime }))
    })
    .get('/attachments/:hash/:name', async ({ req, env }) => {
      const view = viewOf(admitReader(env))
      const hash = req.param('hash')
      if (!(await view.files.mayRead(hash))) throw new ParleyError('unknown_file', { hash: hash.slice(0, 64) })
      const found = files.find(hash)
      const { image, pdf, size } = found
      const part = partIn(req.header('range'), size)
      const shown = image?.mime ?? (pdf ? PDF_MIME : undefined)
      const headers = {
        ...SAFE,
        ...(part && { 'content-range': `bytes ${part.start}-${part.end}/${size}` }),
        'content-type': shown ?? 'application/octet-stream',
        'content-length': String(part ? part.end - part.start + 1 : size),
        'content-disposition': contentDisposition(shown ? 'inline' : 'attachment', plainName(req.param('name'))),
      }
      const body = req.method === 'HEAD' ? null : (Readable.toWeb(found.open(part)) as ReadableStream)
      return new Response(body, { headers, status: part ? 206 : 200 })
    })
    .onError(refuse.rest)
}

function nameOf(header: string | undefined, query: string | undefined): string {
  if (header === undefined) return query ?? 'file'
  const name = percentDecoded(header)
  if (name === undefined) throw new ParleyError('invalid', { problem: '"x-name" must be percent-encoded' })
  return name
}

/** The body up to where it breaks off. The connection stays, so that a refusal can be read. */
async function* bodyOf(request: IncomingMessage): AsyncGenerator<Uint8Array> {
  if (Number(request.headers['content-length'] ?? 0) > ATTACHMENT_LIMIT_BYTES)
    throw new ParleyError('file_too_large', { limit: ATTACHMENT_LIMIT_BYTES / 1024 / 1024 })
  try {
    yield* request.iterator({ destroyOnReturn: false })
  } catch (error) {
    // A request that came as a whole does not break off.
    if (request.complete) throw error
    throw new ParleyError('cancelled', {}, error)
  }
}
