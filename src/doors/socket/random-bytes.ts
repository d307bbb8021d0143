import { closeSync, openSync, readSync } from 'node:fs'
import { attempt } from '../../io/attempt.ts'
import { ignoring } from '../../io/system-error.ts'

/** What nobody guesses. From the system itself where it has that: what Node has for it takes long to load. */
export function randomBytes(count: number): Buffer {
  return attempt(() => fromSystem(count), ignoring()) ?? process.getBuiltinModule('node:crypto').randomBytes(count)
}

function fromSystem(count: number): Buffer | undefined {
  const source = openSync('/dev/urandom', 'r')
  try {
    const bytes = Buffer.alloc(count)
    return readSync(source, bytes) === count ? bytes : undefined
  } finally {
    closeSync(source)
  }
}
