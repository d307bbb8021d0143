import { link, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isSystemError } from '../io/system-error.ts'
import type { ImageFacts } from './image-size.ts'

interface NamedLink {
  /** The file. */
  place: string
  /** The folder for named links. */
  folder: string
  name: string
  image?: ImageFacts
}

const LONGEST = 60
// File systems without links, or with none for us, leave only the name of the hash.
const NO_LINKS = ['EPERM', 'EACCES', 'EROFS', 'EMLINK', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP']
const ENDINGS = { 'image/png': '.png', 'image/jpeg': '.jpg', 'image/gif': '.gif', 'image/webp': '.webp' }

/** Agents know what a file is by the ending of its name, and a file named by its hash has none. */
export async function linkUnderName({ place, folder, name, image }: NamedLink): Promise<string> {
  const named = join(folder, diskName(name, image))
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await link(place, named)
    return named
  } catch (error) {
    if (isSystemError(error, 'EEXIST')) return named
    if (isSystemError(error, ...NO_LINKS)) return place
    throw error
  }
}

/** A name that every file system takes. */
function diskName(name: string, image: ImageFacts | undefined): string {
  const [, stem = '', ending = ''] = /^(.*?)(\.\w{1,10})?$/su.exec(name) ?? []
  const safe = stem
    .replace(/[^\p{L}\p{N} _()+,=@-]/gu, '_')
    .slice(0, LONGEST)
    .toWellFormed()
    .trim()
  return `${safe || 'file'}${image ? ENDINGS[image.mime] : ending.toLowerCase()}`
}
