import { closeSync, openSync, readSync } from 'node:fs'
import { attempt } from '../io/attempt.ts'
import { ignoring } from '../io/system-error.ts'

const BYTES = 16

/** One that nobody guesses. From the system itself where it has that: what Node has for it takes long to load. */
export function secretName(): string {
  return attempt(randomName, ignoring()) ?? process.getBuiltinModule('node:crypto').randomUUID()
}

function randomName(): string | undefined {
  const source = openSync('/dev/urandom', 'r')
  try {
    const bytes = Buffer.alloc(BYTES)
    return readSync(source, bytes) === BYTES ? bytes.toString('hex') : undefined
  } finally {
    closeSync(source)
  }
}
