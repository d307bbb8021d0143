import { join } from 'node:path'
import { ParleyError } from '../../../protocol/errors.ts'
import { isLoopback } from '../guard.ts'
import { closedFile, isClosed, keepClosed } from './closed-folder.ts'
import { fileShelf } from './file-shelf.ts'
import { givenTokens } from './given-tokens.ts'
import { memoryShelf } from './memory-shelf.ts'
import { createTokens } from './tokens.ts'

interface Given {
  /** The data folder, or `memory`. */
  data: string
  /** Tokens from the environment, as `PARLEY_TOKENS` holds them. */
  tokens?: string
}

/** The tokens of a data folder; the command line uses them without a hub. */
export function openTokens({ data, tokens }: Given) {
  const shelf = data === 'memory' ? memoryShelf() : fileShelf(join(data, 'tokens.json'))
  return createTokens({ shelf, given: givenTokens(tokens) })
}

/** A hub without tokens does not start where others can reach it, nor where there were some. */
export function mustHaveTokens({ host, ...given }: Given & { host: string }) {
  const tokens = openTokens(given)
  if (tokens.exist()) return tokens
  if (!isLoopback(host)) throw new ParleyError('not_loopback', { host })
  mustNotBeClosed(given.data)
  return tokens
}

export function mustNotBeClosed(data: string) {
  if (isClosed(data)) throw new ParleyError('folder_closed', { data, path: closedFile(data) })
}

/** From now on no hub of this folder runs without tokens, if the environment has some. */
export function closeFolder({ data, tokens }: Given) {
  if (data !== 'memory' && givenTokens(tokens).length > 0) keepClosed(data)
}
