import * as z from 'zod/mini'
import { MOST_ATTACHMENTS } from './files.ts'

export { ATTACHMENT_LIMIT_BYTES, inWords, isImage, MOST_ATTACHMENTS } from './files.ts'

const NAME_LIMIT = 200

/** Names the content itself: SHA-256 of its bytes. */
export const Hash = z.string('must be a hash').check(z.regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits'))

/** A name to show and to save under. Never a path, and never letters that turn its end around. */
export const FileName = z
  .string('must be text')
  .check(z.overwrite(plainName), z.maxLength(NAME_LIMIT, `is longer than ${NAME_LIMIT} characters`))

const MIME = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/
export const FileMime = z
  .string('must be text')
  .check(z.overwrite(bareMime), z.maxLength(100, 'is longer than 100 characters'), z.regex(MIME, 'must be a mime type'))

/** What a client says of a file that it has uploaded. */
export const AttachmentRef = z.object({ hash: Hash, name: FileName, mime: FileMime })
export type AttachmentRef = z.infer<typeof AttachmentRef>

/** The facts about a file: its size and, for an image, kind and dimensions, are read from the bytes. */
export const Attachment = z.object({
  ...AttachmentRef.shape,
  size: z.number(),
  width: z.optional(z.number()),
  height: z.optional(z.number()),
})
export type Attachment = z.infer<typeof Attachment>

const many = `has more than ${MOST_ATTACHMENTS} files`
export const Attachments = z.array(Attachment).check(z.maxLength(MOST_ATTACHMENTS, many))

const URI = 'parley://attachments/'

export function attachmentUri({ hash, name }: Pick<Attachment, 'hash' | 'name'>): string {
  return `${URI}${hash}/${encodeURIComponent(name)}`
}

/** The hash that such a URI names, if it is one. */
export function hashInUri(uri: string): string | undefined {
  return uri.startsWith(URI) ? Hash.safeParse(uri.slice(URI.length).split('/')[0]).data : undefined
}

/** The last part of whatever path it may be, without control characters and without those that change the direction. */
export function plainName(name: string): string {
  const last = name.toWellFormed().split(/[/\\]/).at(-1) ?? ''
  const plain = last.replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '').trim()
  return plain === '' || plain === '.' || plain === '..' ? 'file' : plain
}

function bareMime(mime: string): string {
  return (mime.split(';')[0] ?? '').trim().toLowerCase() || 'application/octet-stream'
}
