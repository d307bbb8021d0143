import { lstatSync, mkdtempSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { attempt } from '../../io/attempt.ts'
import { makeFolder } from '../../io/disk/made-folder.ts'
import { ifSystemError, ignoring } from '../../io/system-error.ts'
import { ParleyError } from '../../protocol/errors.ts'
import { unsafeIn } from './our-path.ts'

/** Makes the data folder, for nobody but its owner; one that is there must be so. */
export function makeDataFolder(data: string) {
  mustBeOurs(data)
  attempt(
    () => makeFolder(data),
    ifSystemError((error) => {
      throw new ParleyError('no_data_folder', { data, reason: error.message }, error)
    }),
  )
  mustBeOurs(data)
}

/** Refuses a file where a data folder should be. Whatever else is wrong with it is told when it is used. */
export function mustBeNoFile(data: string) {
  const found = attempt(() => statSync(data, { throwIfNoEntry: false }), ignoring())
  if (found && !found.isDirectory()) throw new ParleyError('data_is_file', { path: data })
}

/**
 * Anyone who can write in the folder, or put another one in its place, would be the hub. Root may use any that only its
 * owner writes: in containers folders often belong to somebody else.
 */
export function mustBeOurs(data: string) {
  const uid = process.getuid?.()
  if (uid === undefined) return
  const unsafe = unsafeIn(data, { isTrusted: uid === 0 ? () => true : undefined })
  if (unsafe?.why === 'foreign') throw new ParleyError('data_foreign', { data: unsafe.folder })
  if (unsafe) throw new ParleyError('data_shared', { folder: unsafe.folder })
}

/** Makes a folder in which nobody else has anything to say, or makes sure that it is one. */
export function makePrivate(folder: string) {
  if (unsafeIn(dirname(folder), { isParent: true })) throw notPrivate(folder)
  makeFolder(folder)
  if (!isPrivate(folder)) throw notPrivate(folder)
}

/** A new one, whatever others have made there that begins with this name. */
export function newPrivate(base: string, name: string): string {
  if (unsafeIn(base, { isParent: true })) throw notPrivate(base)
  return mkdtempSync(join(base, `${name}-`))
}

/** One of ours, on a way that is ours or root's, that nobody else can even look into. */
export function isPrivate(folder: string): boolean {
  const entry = lstatSync(folder, { throwIfNoEntry: false })
  if (!entry?.isDirectory() || entry.uid !== process.getuid?.() || (entry.mode & OTHERS) !== 0) return false
  return unsafeIn(folder) === undefined
}

/** The identity of a file, whatever its name; nothing where there is none. */
export function identityOf(path: string): string | undefined {
  const file = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  return file && `${file.dev}-${file.ino}`
}

const OTHERS = 0o077

function notPrivate(folder: string): Error {
  return Object.assign(new Error(`${folder} is not private`), { code: 'EACCES' })
}
