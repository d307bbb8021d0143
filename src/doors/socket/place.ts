import { statSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'

/** The length of a socket's path that every system takes, in bytes. */
const LONGEST_PATH = 103
/** The length of what follows the name of a shared folder. */
const NAME_LENGTH = 52

/**
 * The places for the socket of a data folder's hub, the best one first: in the folder itself, or, where the path is too
 * long for a socket or the file system has none, in a short private folder of the user's. A pipe on Windows.
 */
export function socketPlaces(data: string): string[] {
  const folder = statSync(data, { bigint: true, throwIfNoEntry: false })
  if (!folder) return []
  const name = `${folder.dev}-${folder.ino}`
  if (process.platform === 'win32') return [`\\\\.\\pipe\\parley-${userInfo().username}-${name}`]
  const inside = join(data, 'hub.sock')
  const short = join(shortFolder(), `${name}.sock`)
  return Buffer.byteLength(inside) > LONGEST_PATH ? [short] : [inside, short]
}

/** Whether a place is in the data folder, which is looked at anyway. */
export function isInside(place: string, data: string): boolean {
  return place === join(data, 'hub.sock')
}

/** A folder of this user alone; whoever listens or connects in it makes sure of that. */
export function shortFolder(): string {
  return join(shortBases()[0] ?? '/tmp', shortName())
}

/** The bases of a short folder. A temporary folder that somebody set may have a long path. */
export function shortBases(): string[] {
  const folders = [process.env.XDG_RUNTIME_DIR || tmpdir(), '/tmp']
  return folders.filter((folder) => Buffer.byteLength(folder) <= LONGEST_PATH - NAME_LENGTH)
}

export function shortName(): string {
  return `parley-${process.getuid?.() ?? 0}`
}
