import { hash, randomBytes } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const FILE = 'owner.key'
const KEY = /^[\w-]{43}$/

/**
 * What tells the owner of a folder from who can only open its socket: it stands in the folder. Agents are given the
 * socket alone, in a container for example, and must not give orders there.
 */
export function ownerKeyOf(data: string): string | undefined {
  try {
    const key = readFileSync(join(data, FILE), 'utf8')
    return KEY.test(key) ? key : undefined
  } catch (error) {
    // There was no hub yet, or nobody may know.
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error
    return undefined
  }
}

/** Only for who holds the lock of the folder. Where it cannot be written, nobody is taken for the owner. */
export function keepOwnerKey(data: string): (shown: unknown) => boolean {
  const key = ownerKeyOf(data) ?? newKey(data)
  return (shown) => typeof shown === 'string' && hash('sha256', shown) === hash('sha256', key)
}

function newKey(data: string): string {
  const path = join(data, FILE)
  const key = randomBytes(32).toString('base64url')
  try {
    writeFileSync(`${path}.new`, key, { mode: 0o600 })
    renameSync(`${path}.new`, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error
  }
  return key
}
