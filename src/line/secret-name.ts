import { closeSync, openSync, readSync } from 'node:fs'

const BYTES = 16

/** One that nobody guesses. From the system itself where it has that: what Node has for it takes long to load. */
export function secretName(): string {
  try {
    const source = openSync('/dev/urandom', 'r')
    try {
      const bytes = Buffer.alloc(BYTES)
      if (readSync(source, bytes) === BYTES) return bytes.toString('hex')
    } finally {
      closeSync(source)
    }
  } catch {
    // Some systems do not have it.
  }
  return process.getBuiltinModule('node:crypto').randomUUID()
}
