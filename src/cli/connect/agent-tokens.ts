import { hash } from 'node:crypto'
import { isClosed } from '../../doors/http/access/closed-folder.ts'
import { openTokens } from '../../doors/http/access/open-tokens.ts'
import { attempt } from '../../io/attempt.ts'
import { ParleyError } from '../../protocol/errors.ts'
import type { Config } from '../config.ts'
import type { Client } from './client.ts'
import type { Places } from './places.ts'

const OURS = 'connect-'
const SCHEME = 'Bearer '

/** Which entry it is for: each has a token of its own. */
export interface Place {
  client: Client
  isProject: boolean
  places: Places
}

/** The tokens that agents show over HTTP, where people sign in. */
export function openAgentTokens(config: Config) {
  const tokens = openTokens(config)
  return {
    areNeeded: () => isClosed(config.data) || tokens.exist(),
    isGood: (shown: string | undefined) => ownerOf(shown) !== undefined,
    create,
    revokeShown,
    revokeFor,
  }

  async function create(place: Place): Promise<string> {
    const { secret } = await tokens.create({ name: nameFor(place), role: 'agent' })
    return SCHEME + secret
  }

  /** Nobody else uses the token that was made for an entry. */
  async function revokeShown(shown: string | undefined) {
    const name = ownerOf(shown)
    if (name !== undefined) await tokens.revoke(name)
  }

  async function revokeFor(place: Place) {
    const name = nameFor(place)
    if (tokens.list().some((token) => token.name === name && token.revoked_at === undefined)) await tokens.revoke(name)
  }

  /** Whose token this is, if it is one that was made here and still counts. */
  function ownerOf(shown: string | undefined): string | undefined {
    if (!shown?.startsWith(SCHEME)) return undefined
    const owner = attempt(() => tokens.ofToken(shown.slice(SCHEME.length)), ifRefused)
    return owner?.name.startsWith(OURS) ? owner.name : undefined
  }
}

function nameFor({ client, isProject, places }: Place): string {
  return `${OURS}${client.name}${isProject ? `-${hash('sha256', places.cwd).slice(0, 8)}` : ''}`
}

function ifRefused(error: unknown): undefined {
  if (!(error instanceof ParleyError) || !error.code.startsWith('token_')) throw error
}
