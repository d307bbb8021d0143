import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { attempt } from '../../../io/attempt.ts'
import { ifSystemError } from '../../../io/system-error.ts'
import { unwritable } from '../../../protocol/refusal.ts'

const ABOUT = `The hub of this folder was started with PARLEY_TOKENS, and none starts without tokens since then.
Delete this file to let hubs start that ask nobody for a token.
`

export function closedFile(data: string): string {
  return join(data, 'closed')
}

/** Tokens of the environment are gone with their process; that they closed the folder stays in it. */
export function isClosed(data: string): boolean {
  return data !== 'memory' && existsSync(closedFile(data))
}

/** Called by the holder of the folder's lock, before anybody is answered. */
export function keepClosed(data: string) {
  if (isClosed(data)) return
  attempt(
    () => writeFileSync(closedFile(data), ABOUT, { mode: 0o600, flush: true }),
    ifSystemError(unwritable(closedFile(data))),
  )
}
