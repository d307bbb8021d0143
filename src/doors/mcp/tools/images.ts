import { constants, open } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import * as z from 'zod/mini'
import { HEADER_BYTES, type ImageFacts, imageIn } from '../../../files/image-size.ts'
import {
  ATTACHMENT_LIMIT_BYTES,
  type Attachment,
  FileMime,
  FileName,
  MOST_ATTACHMENTS,
} from '../../../protocol/entries/attachment.ts'
import { ParleyError } from '../../../protocol/errors.ts'
import type { AgentFiles } from './enclosures.ts'

/** What an agent shows besides its words. One object of optional fields, because some models refuse a union. */
export const Images = z.optional(
  z
    .array(
      z.object({
        path: z.optional(z.string('must be text').check(z.describe('A file of this machine, over stdio only.'))),
        data: z.optional(z.string('must be text').check(z.describe('Or the image itself, in Base64.'))),
        name: z.optional(FileName),
        mime: z.optional(FileMime),
      }),
      'must be a list of images',
    )
    .check(
      z.maxLength(MOST_ATTACHMENTS, `has more than ${MOST_ATTACHMENTS} images`),
      z.describe('PNG, JPEG, GIF or WebP images to show, each as path or data.'),
    ),
)
export type Images = z.output<typeof Images>

/** Keeps the images, so that a message can name them. Throws before anything is said. */
export async function keepImages(
  images: Images,
  files: (() => Promise<AgentFiles>) | undefined,
): Promise<{ attachments?: Attachment[] }> {
  if (!images?.length) return {}
  const from = await files?.()
  if (!from) throw new ParleyError('invalid', { problem: 'Nothing can be attached here' })
  const contents = await Promise.all(images.map((image, n) => contentOf(image, n, from.takesPathsFrom)))
  const attachments = contents.map(async ({ bytes, name }) => {
    const image = imageIn(bytes.subarray(0, HEADER_BYTES))
    if (bytes.length > 0 && !image) throw new ParleyError('no_image', { name })
    const { hash } = await from.store.save([bytes])
    return from.store.describe({ hash, name: named(name, image), mime: 'image/png' })
  })
  return { attachments: await Promise.all(attachments) }
}

/** People save it under this name, and need its ending. */
function named(name: string, image: ImageFacts | undefined): string {
  return name.includes('.') || !image ? name : `${name}.${image.mime.replace(/^image\//, '')}`
}

type Given = NonNullable<Images>[number]

async function contentOf({ path, data, name }: Given, n: number, folder: string | undefined) {
  if ((path === undefined) === (data === undefined))
    throw new ParleyError('invalid', { problem: `"images.${n}" needs either "path" or "data"` })
  if (data !== undefined) return { bytes: decoded(data), name: name ?? `image-${n + 1}` }
  if (folder === undefined)
    throw new ParleyError('invalid', {
      problem: `"images.${n}.path" is for agents that use stdio; send "data" instead`,
    })
  return { bytes: await fileAt(path ?? '', folder), name: name ?? (basename(path ?? '') || 'image') }
}

function decoded(data: string): Buffer {
  return Buffer.from(data.replace(/^data:[\w/+.-]*;base64,/, ''), 'base64')
}

/**
 * Opens only plain files, without waiting: a pipe that nobody writes to would occupy for ever a thread that every
 * upload needs, and a device would be read for ever.
 */
async function fileAt(path: string, folder: string): Promise<Buffer> {
  try {
    const file = await open(resolve(folder, path), constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const found = await file.stat()
      if (!found.isFile()) throw new ParleyError('unreadable_image', { path, reason: 'it is not a file' })
      if (found.size > ATTACHMENT_LIMIT_BYTES)
        throw new ParleyError('file_too_large', { limit: ATTACHMENT_LIMIT_BYTES / 1024 / 1024 })
      const { bytesRead, buffer } = await file.read(Buffer.alloc(found.size), { position: 0 })
      return buffer.subarray(0, bytesRead)
    } finally {
      await file.close()
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (error instanceof ParleyError || code === undefined) throw error
    // The rest of the system's words is the path, in another form than the agent's.
    const reason = code === 'ENOENT' ? 'it is not there' : message.replace(/,.*/s, '')
    throw new ParleyError('unreadable_image', { path, reason }, error)
  }
}
