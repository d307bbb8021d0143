import { hash, randomBytes } from 'node:crypto'
import { attempt } from '../../io/attempt.ts'
import { replaceFile } from '../../io/replaced-file.ts'
import { ignoring } from '../../io/system-error.ts'
import { ownerKeyFile, ownerKeyOf } from './owner-key.ts'

/**
 * Tells whether what somebody shows is the key of this folder, which has one from now on. Only for who holds its lock.
 */
export function keepOwnerKey(data: string): (shown: unknown) => boolean {
  const key = ownerKeyOf(data) ?? newKey(data)
  return (shown) => typeof shown === 'string' && hash('sha256', shown) === hash('sha256', key)
}

/** Nobody is taken for the owner where it cannot be written. */
function newKey(data: string): string {
  const path = ownerKeyFile(data)
  const key = randomBytes(32).toString('base64url')
  attempt(() => replaceFile(path, key), ignoring())
  return key
}
