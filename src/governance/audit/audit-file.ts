import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { orUndo } from '../../io/or-undo.ts'
import { ignoring } from '../../io/system-error.ts'
import { ParleyError } from '../../protocol/errors.ts'
import { chained, type Head, type Link, type Loose, linkIn, NO_LINK, NO_SALT } from './link.ts'

const TAIL_BYTES = 64 * 1024
/** Small: whoever else waits for this process has a turn between two of them. */
const CHUNK_BYTES = 64 * 1024
const NEW_LINE = 10

export function auditPath(data: string): string {
  return join(data, 'audit.jsonl')
}

/** The chain of a data folder, to be written by its hub. Reads only the end of it; half a line there is taken away. */
export async function openAuditFile(path: string) {
  let file = await openIfThere(path)
  let { size, last } = file ? await repaired(file, path).catch(closing(file)) : NOTHING
  let head: Head = last ?? NO_LINK
  return { last: () => last, has, append, eraseSalts, close: async () => file?.close() }

  /** The chain is read only where it is not the last link. */
  async function has({ n, chain }: Head): Promise<boolean> {
    if (!file || !last || last.n <= n) return last?.n === n && last.chain === chain
    for await (const { text } of linesIn(file, size)) {
      const link = linkIn(text)
      if (link?.n === n) return link.chain === chain
    }
    return false
  }

  /** Resolves once it is durable. */
  async function append(loose: Loose[]) {
    const links: Link[] = []
    for (const one of loose) links.push(chained(links.at(-1) ?? head, one))
    const bytes = Buffer.from(links.map((link) => `${JSON.stringify(link)}\n`).join(''))
    file ??= await open(path, 'wx+', 0o600)
    const written = writeAll(file, bytes, size)
    // The rest of a half-written link would stand behind what is written next.
    await orUndo(
      () => written,
      () => Promise.allSettled([file?.truncate(size)]),
    )
    size += bytes.length
    last = links.at(-1) ?? last
    head = last ?? head
  }

  async function eraseSalts(ids: ReadonlySet<string>) {
    if (!file) return
    for await (const { text, at } of linesIn(file, size)) {
      const link = linkIn(text)
      if (link && 'id' in link && ids.has(link.id)) await file.write(NO_SALT, at + saltAt(text, link.salt))
    }
    await file.datasync()
  }
}

/** A disk that fills takes a part, and only then refuses the rest. */
async function writeAll(file: FileHandle, bytes: Buffer, at: number) {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, at + done)
    done += bytesWritten
  }
  await file.datasync()
}

/** Every whole line, with where it begins. */
export async function* linesIn(file: FileHandle, end: number): AsyncGenerator<{ text: string; at: number }> {
  let rest: Buffer = Buffer.alloc(0)
  for (let at = 0; at < end; ) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(Math.min(CHUNK_BYTES, end - at)), { position: at })
    if (bytesRead === 0) return
    const bytes = Buffer.concat([rest, buffer.subarray(0, bytesRead)])
    let begin = 0
    for (let stop = bytes.indexOf(NEW_LINE); stop >= 0; stop = bytes.indexOf(NEW_LINE, begin)) {
      yield { text: bytes.toString('utf8', begin, stop), at: at - rest.length + begin }
      begin = stop + 1
    }
    at += bytesRead
    rest = bytes.subarray(begin)
  }
}

const NOTHING: { size: number; last?: Link } = { size: 0 }

export async function openIfThere(path: string, flags = 'r+'): Promise<FileHandle | undefined> {
  return open(path, flags).catch(ignoring('ENOENT'))
}

function closing(file: FileHandle) {
  return async (error: unknown): Promise<never> => {
    await file.close()
    throw error
  }
}

async function repaired(file: FileHandle, path: string): Promise<typeof NOTHING> {
  const { size: found } = await file.stat()
  for (let window = TAIL_BYTES; ; window *= 2) {
    const from = Math.max(0, found - window)
    const { buffer } = await file.read(Buffer.alloc(found - from), { position: from })
    const end = buffer.lastIndexOf(NEW_LINE)
    const begin = end > 0 ? buffer.lastIndexOf(NEW_LINE, end - 1) : -1
    if (begin < 0 && from > 0) continue
    const size = from + end + 1
    if (size < found) await file.truncate(size)
    if (size === 0) return { size }
    const last = linkIn(buffer.toString('utf8', begin + 1, end))
    if (!last)
      throw new ParleyError('data_corrupt', { reason: `${path} is damaged at its end; see parley audit verify` })
    return { size, last }
  }
}

/** Everything in such a line is ASCII. */
function saltAt(text: string, salt: string): number {
  return text.indexOf(`"salt":"${salt}"`) + '"salt":"'.length
}
