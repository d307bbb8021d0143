import { attachmentPath } from '../../../../src/protocol/entries/files.ts'
import {
  FILE_KEY_PARAMETER,
  fileKeyIn,
  PAGE_KEY_HEADER,
  PAGE_KEY_OFFER,
} from '../../../../src/protocol/frames/page-key.ts'

/** The key that signing in left here. Read each time: another tab may have signed in since. */
function pageKey(): string {
  return localStorage.getItem('parley.key') ?? ''
}

export function keyHeader(): [name: string, value: string] {
  return [PAGE_KEY_HEADER, pageKey()]
}

/** The subprotocols that a socket offers, and the key beside them. */
export function offersOf(dialect: string): string[] {
  const key = pageKey()
  return key ? [dialect, PAGE_KEY_OFFER + key] : []
}

/** The address of something to be read. */
export function withFileKey(path: string): string {
  const key = pageKey()
  return key ? `${path}${path.includes('?') ? '&' : '?'}${FILE_KEY_PARAMETER}=${fileKeyIn(key)}` : path
}

export function filePath(file: { hash: string; name: string }): string {
  return withFileKey(attachmentPath(file))
}
