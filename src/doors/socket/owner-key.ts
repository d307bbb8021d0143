import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { attempt } from '../../io/attempt.ts'
import { ignoring } from '../../io/system-error.ts'

const KEY = /^[\w-]{43}$/

/**
 * What tells the owner of a folder from who can only open its socket: it stands in the folder. Agents may be given the
 * socket alone, in a container for example, and must not give orders there.
 */
export function ownerKeyOf(data: string): string | undefined {
  // There was no hub yet, or nobody may know.
  const key = attempt(() => readFileSync(ownerKeyFile(data), 'utf8'), ignoring())
  return key !== undefined && KEY.test(key) ? key : undefined
}

export function ownerKeyFile(data: string): string {
  return join(data, 'owner.key')
}
