import { constants } from 'node:fs'
import { type FileHandle, open, realpath } from 'node:fs/promises'
import { relative, resolve, sep } from 'node:path'
import { ignoring } from '../../io/system-error.ts'
import { ParleyError } from '../../protocol/errors.ts'
import type { FolderFile } from '../../protocol/frames/launching.ts'
import { isIn } from '../folders.ts'

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
  // Between the look and the opening something in the path may have become a link.
  if ((await realpath(real).catch(ignoring())) !== real) throw new ParleyError('file_outside', { path })
  const size = Number(found.size)
  const shown = { path: relative(folder, real).split(sep).join('/'), size }
  if (size > MOST_BYTES) return { ...shown, unshown: 'large' }
  const bytes = await bytesIn(file, size)
  // Texts have no such letter, and what is none has it soon.
  if (bytes.includes(0)) return { ...shown, unshown: 'binary' }
  return { ...shown, text: new TextDecoder().decode(bytes) }
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
