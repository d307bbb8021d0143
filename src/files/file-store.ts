import { createHash, randomUUID } from 'node:crypto'
import { closeSync, createReadStream, existsSync, fstatSync, openSync, readSync } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { attempt } from '../io/attempt.ts'
import { ignoring, isSystemError } from '../io/system-error.ts'
import { ATTACHMENT_LIMIT_BYTES, type Attachment, type AttachmentRef, Hash } from '../protocol/entries/attachment.ts'
import { ParleyError } from '../protocol/errors.ts'
import { IMAGE_MIMES, PDF_MIME } from '../protocol/text/mime.ts'
import { sizeInWords } from '../protocol/text/size.ts'
import { HEADER_BYTES, type ImageFacts, imageIn } from './image-size.ts'
import { linkUnderName } from './named-link.ts'
import { storedFiles } from './stored-files.ts'

/** The facts about some content, whoever sent it under whatever name. */
export interface Content {
  hash: string
  size: number
  image?: ImageFacts
  pdf?: boolean
}

/** A range from the first byte to the last one, both included. */
export interface ByteRange {
  start: number
  end: number
}

export type FileStore = ReturnType<typeof createFileStore>

interface FileStoreParts {
  /** Absent for one that is gone when it closes. */
  folder?: string
  limitBytes?: number
  /** The space that all files together may take. */
  quotaBytes?: number
}

/** The files of a data folder, or of a hub that keeps nothing. */
export function openFiles(data: string): FileStore {
  return createFileStore(data === 'memory' ? {} : { folder: join(data, 'files') })
}

const QUOTA_BYTES = 10 * 1024 ** 3
/** A moment later than every other. */
const UNSAID = Number.POSITIVE_INFINITY
// An unfinished upload that is older than this is abandoned: no upload takes so long.
const ABANDONED_MS = 60 * 60_000

/**
 * Files by the hash of their content, beside the log. Several processes of one data folder may use it at once: a file
 * is written aside, and is there whole or not at all.
 */
export function createFileStore({
  folder,
  limitBytes = ATTACHMENT_LIMIT_BYTES,
  quotaBytes = QUOTA_BYTES,
}: FileStoreParts) {
  const root = folder ?? join(tmpdir(), `parley-files-${randomUUID()}`)
  const aside = join(root, 'incoming')
  /** The moment when each was attached last; later than ever while it is uploaded and not in a message yet. */
  const wanted = new Map<string, number>()
  let moments = 0
  /** What the files take, and those that are being written; known with the first one. */
  let taken: Promise<void> | undefined
  let bytes = 0
  return {
    all: () => storedFiles(root),
    save,
    describe,
    attach,
    find,
    read,
    base64,
    pathOf,
    moment: () => moments,
    remove,
    sweep,
    close,
  }

  /** Resolves once it is durable; whatever goes wrong leaves nothing behind. */
  async function save(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<Content> {
    await mkdir(aside, { recursive: true, mode: 0o700 })
    taken ??= count()
    await taken
    const draft = join(aside, randomUUID())
    const room = { bytes: 0 }
    try {
      const written = await write(draft, chunks, room)
      if (existsSync(placeOf(written.hash))) giveBack(room)
      const shelf = join(root, written.hash.slice(0, 2))
      const isNew = await mkdir(shelf, { recursive: true, mode: 0o700 })
      // The same content sent twice at once is renamed twice, to the same.
      await rename(draft, join(shelf, written.hash))
      await syncFolder(shelf)
      if (isNew) await syncFolder(root)
      wanted.set(written.hash, UNSAID)
      return written
    } catch (error) {
      giveBack(room)
      await rm(draft, { force: true })
      throw isSystemError(error, 'ENOSPC', 'EDQUOT') ? new ParleyError('disk_full', {}, error) : error
    }
  }

  async function count() {
    for await (const { size } of storedFiles(root)) bytes += size
  }

  function take(room: { bytes: number }, more: number) {
    if (bytes + more > quotaBytes) throw new ParleyError('files_full', { size: sizeInWords(quotaBytes) })
    bytes += more
    room.bytes += more
  }

  function giveBack(room: { bytes: number }) {
    bytes -= room.bytes
    room.bytes = 0
  }

  async function write(
    draft: string,
    chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
    room: { bytes: number },
  ): Promise<Content> {
    const hash = createHash('sha256')
    const file = await open(draft, 'wx', 0o600)
    let size = 0
    try {
      for await (const chunk of chunks) {
        size += chunk.length
        if (size > limitBytes) throw new ParleyError('file_too_large', { limit: limitBytes / 1024 / 1024 })
        take(room, chunk.length)
        hash.update(chunk)
        await file.writeFile(chunk)
      }
      if (size === 0) throw new ParleyError('file_empty')
      await file.sync()
    } finally {
      await file.close()
    }
    const { image, pdf } = look(draft) ?? {}
    return { hash: hash.digest('hex'), size, image, pdf }
  }

  /**
   * What the bytes say counts, not what a client says. At once, because commands that come together keep their order:
   * it is one look at the beginning of a file.
   */
  function describe({ hash, name, mime }: AttachmentRef): Attachment {
    const { size, image, pdf } = find(hash)
    if (image) return { hash, name, mime: image.mime, size, width: image.width, height: image.height }
    if (pdf) return { hash, name, mime: PDF_MIME, size }
    const pretends = [...IMAGE_MIMES, PDF_MIME].some((shown) => shown === mime)
    return { hash, name, mime: pretends ? OTHER : mime, size }
  }

  /** The same, of what is about to be said: nobody removes it from now on. */
  function attach(ref: AttachmentRef): Attachment {
    const attachment = describe(ref)
    wanted.set(ref.hash, ++moments)
    return attachment
  }

  /** All of it, or nothing when it is not there. */
  async function read(hash: string): Promise<Buffer | undefined> {
    return readFile(placeOf(hash)).catch(missing)
  }

  /** All of it as text, a piece at a time and only once it is wanted, or nothing when it is not there. */
  function base64(hash: string): AsyncIterable<string> | undefined {
    const place = placeOf(hash)
    return existsSync(place) ? inBase64(place) : undefined
  }

  /** The facts about a file, and a way to read it piece by piece. */
  function find(hash: string) {
    const place = placeOf(hash)
    const found = look(place)
    if (!found) throw new ParleyError('unknown_file', { hash })
    return { ...found, open: (part?: ByteRange): Readable => createReadStream(place, part) }
  }

  /** The path for a program of this machine, with a name whose ending it understands. */
  async function pathOf({ hash, name }: Pick<Attachment, 'hash' | 'name'>): Promise<string | undefined> {
    const place = placeOf(hash)
    const found = look(place)
    return found && linkUnderName({ place, folder: join(root, 'named', hash), name, image: found.image })
  }

  /** Removes it unless somebody has wanted it since that moment. Says whether it did. */
  async function remove(hash: string, since: number, which?: 'unsaid too'): Promise<boolean> {
    const at = wanted.get(hash) ?? 0
    if (at > since && !(which && at === UNSAID)) return false
    wanted.delete(hash)
    const place = placeOf(hash)
    const found = await stat(place).catch(missing)
    await rm(place, { force: true })
    await rm(join(root, 'named', hash), { recursive: true, force: true })
    if (taken && found) bytes -= found.size
    return true
  }

  /** Takes away what uploads left that ended with their process. */
  async function sweep() {
    const drafts = await readdir(aside).catch(missing)
    for (const name of drafts ?? []) {
      const draft = join(aside, name)
      const found = await stat(draft).catch(missing)
      if (found && Date.now() - found.mtimeMs > ABANDONED_MS) await rm(draft, { force: true })
    }
  }

  async function close() {
    if (folder === undefined) await rm(root, { recursive: true, force: true })
  }

  /** Only a hash ever becomes part of a path. */
  function placeOf(hash: string): string {
    if (!Hash.safeParse(hash).success) throw new ParleyError('unknown_file', { hash: hash.slice(0, 64) })
    return join(root, hash.slice(0, 2), hash)
  }
}

const OTHER = 'application/octet-stream'
const PDF_START = Buffer.from('%PDF-')

async function* inBase64(path: string): AsyncGenerator<string> {
  yield* createReadStream(path, 'base64')
}

function look(path: string): Omit<Content, 'hash'> | undefined {
  const file = attempt(() => openSync(path, 'r'), missing)
  if (file === undefined) return undefined
  try {
    const { size } = fstatSync(file)
    const header = Buffer.alloc(Math.min(size, HEADER_BYTES))
    readSync(file, header)
    return { size, image: imageIn(header), pdf: header.subarray(0, PDF_START.length).equals(PDF_START) }
  } finally {
    closeSync(file)
  }
}

/** A name is durable when its folder is. Windows keeps names by itself and opens no folders. */
async function syncFolder(path: string) {
  if (process.platform === 'win32') return
  let folder: FileHandle | undefined
  try {
    folder = await open(path, 'r')
    await folder.sync()
  } finally {
    await folder?.close()
  }
}

const missing = ignoring('ENOENT')
