import { attempt } from '../../io/attempt.ts'
import { replaceFile } from '../../io/replaced-file.ts'
import { ignoring } from '../../io/system-error.ts'
import { ownerKeyFile, ownerKeyOf } from './owner-key.ts'
import { randomBytes } from './random-bytes.ts'

/**
 * Tells whether what somebody shows is the key of this folder, which has one from now on. Only for who holds its lock.
 */
export function keepOwnerKey(data: string): (shown: unknown) => boolean {
  const key = ownerKeyOf(data) ?? newKey(data)
  return (shown) => typeof shown === 'string' && isSame(shown, key)
}

/** Nobody is taken for the owner where it cannot be written. */
function newKey(data: string): string {
  const path = ownerKeyFile(data)
  const key = randomBytes(32).toString('base64url')
  attempt(() => replaceFile(path, key), ignoring())
  return key
}

/** Looks at all of it, so that nobody learns from the time how much was right; all keys are of the same length. */
function isSame(shown: string, key: string): boolean {
  if (shown.length !== key.length) return false
  let difference = 0
  for (let at = 0; at < key.length; at++) difference |= shown.charCodeAt(at) ^ key.charCodeAt(at)
  return difference === 0
}
