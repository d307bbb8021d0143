import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const KEY = /^[\w-]{43}$/

/**
 * What tells the owner of a folder from who can only open its socket: it stands in the folder. Agents may be given the
 * socket alone, in a container for example, and must not give orders there.
 */
export function ownerKeyOf(data: string): string | undefined {
  try {
    const key = readFileSync(ownerKeyFile(data), 'utf8')
    return KEY.test(key) ? key : undefined
  } catch (error) {
    // There was no hub yet, or nobody may know.
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error
    return undefined
  }
}

export function ownerKeyFile(data: string): string {
  return join(data, 'owner.key')
}
