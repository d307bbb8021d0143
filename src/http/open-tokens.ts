import { join } from 'node:path'
import { ParleyError } from '../protocol/errors.ts'
import { fileShelf } from './file-shelf.ts'
import { givenTokens } from './given-tokens.ts'
import { isLoopback } from './guard.ts'
import { memoryShelf } from './memory-shelf.ts'
import { createTokens } from './tokens.ts'

interface Given {
  /** The data folder, or `memory`. */
  data: string
  /** From the environment, as `PARLEY_TOKENS` holds them. */
  tokens?: string
}

/** Who may call a hub of this data; the command line uses it without a hub. */
export function openTokens({ data, tokens }: Given) {
  const shelf = data === 'memory' ? memoryShelf() : fileShelf(join(data, 'tokens.json'))
  return createTokens({ shelf, given: givenTokens(tokens) })
}

/** Where others can reach it, a hub without tokens does not start. */
export function mustHaveTokens({ host, ...given }: Given & { host: string }) {
  const tokens = openTokens(given)
  if (!isLoopback(host) && !tokens.exist()) throw new ParleyError('not_loopback', { host })
  return tokens
}
