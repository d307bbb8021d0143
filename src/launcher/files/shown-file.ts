import { constants } from 'node:fs'
import { type FileHandle, lstat, open, readlink, realpath } from 'node:fs/promises'
import { relative, resolve, sep } from 'node:path'
import { isIn } from '../../io/disk/is-in.ts'
import { ignoring } from '../../io/system-error.ts'
import { ParleyError } from '../../protocol/errors.ts'
import type { FolderFile } from '../../protocol/frames/launching.ts'

/** More is no text that somebody reads in the page. */
const MOST_BYTES = 1024 * 1024
/** No link in its place is followed, and no pipe is waited for. */
const READ_NOW = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)

/** A file of a folder, as it is now. One that links or dots lead out of the folder is none of it. */
export async function shownFile(folder: string, path: string): Promise<FolderFile> {
  const named = resolve(folder, path)
  if (!isIn(folder, named)) throw new ParleyError('file_outside', { path })
  const real = await realpath(named).catch(ignoring())
  if (real === undefined) throw new ParleyError('file_gone', { path })
  if (!isIn(folder, real)) throw new ParleyError('file_outside', { path })
  await using file = await open(real, READ_NOW).catch(ignoring())
  const found = await file?.stat({ bigint: true })
  if (!file || !found?.isFile()) throw new ParleyError('file_gone', { path })
  if (!isIn(folder, await placeOf(file, real))) throw new ParleyError('file_outside', { path })
  const size = Number(found.size)
  const shown = { path: relative(folder, real).split(sep).join('/'), size }
  if (size > MOST_BYTES) return { ...shown, unshown: 'large' }
  const bytes = await bytesIn(file, size)
  // Texts have no such letter, and what is none has it soon.
  if (bytes.includes(0)) return { ...shown, unshown: 'binary' }
  return { ...shown, text: new TextDecoder().decode(bytes) }
}

/** Between the look and the opening a folder in the path may have been a link, and be none again by now. */
async function placeOf(file: FileHandle, path: string): Promise<string> {
  const opened = await readlink(`/proc/self/fd/${file.fd}`).catch(ignoring())
  if (opened !== undefined) return opened
  // Other systems do not tell where an open file is.
  const [own, there] = await Promise.all([file.stat({ bigint: true }), lstat(path, { bigint: true }).catch(ignoring())])
  const isSame = own.ino === there?.ino && own.dev === there.dev
  return (isSame && (await realpath(path).catch(ignoring()))) || ''
}

/** It may grow meanwhile, and is shown as far as it was. */
async function bytesIn(file: FileHandle, size: number): Promise<Buffer> {
  const buffer = Buffer.alloc(size)
  let read = 0
  while (read < size) {
    const { bytesRead } = await file.read(buffer, read, size - read, read)
    if (bytesRead === 0) break
    read += bytesRead
  }
  return buffer.subarray(0, read)
}
