import { hash } from 'node:crypto'
import { isClosed } from '../../doors/http/access/closed-folder.ts'
import { openTokens } from '../../doors/http/access/open-tokens.ts'
import { attempt } from '../../io/attempt.ts'
import { ParleyError } from '../../protocol/errors.ts'
import type { Config } from '../config.ts'
import type { Client } from './client.ts'
import type { Places } from './places.ts'
import { SCHEME } from './server-entry.ts'

const OURS = 'connect-'

/** Which entry it is for: each has a token of its own. */
export interface Place {
  client: Client
  isProject: boolean
  places: Places
}

/** The tokens that agents show over HTTP, where people sign in. */
export function openAgentTokens(config: Config) {
  const { data } = config
  const tokens = openTokens(config)
  return {
    areNeeded: () => isClosed(data) || tokens.exist(),
    /** Whoever wrote it: a person may have put a token of their own there. */
    isGood: (shown: string | undefined) => nameOf(shown) !== undefined,
    create,
    revokeShown,
    revokeFor,
    isThere,
    end,
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

  /** For an entry that is gone. A token that was made for another data folder is known there alone. */
  async function end(place: Place, shown: string | undefined) {
    await revokeShown(shown)
    if (!shown?.startsWith(SCHEME) || attempt(() => tokens.ofToken(secretOf(shown)), isKnown)) return
    console.log(`  The token in it is none of ${data}; if it is of another data folder, it still counts there:`)
    console.log(`  parley token revoke ${nameFor(place)} --data FOLDER`)
  }

  /** Answers whether there was one. */
  async function revokeFor(place: Place): Promise<boolean> {
    if (!isThere(place)) return false
    await tokens.revoke(nameFor(place))
    return true
  }

  function isThere(place: Place): boolean {
    const name = nameFor(place)
    return tokens.list().some((token) => token.name === name && token.revoked_at === undefined)
  }

  /** Whose token this is, if it was made here. */
  function ownerOf(shown: string | undefined): string | undefined {
    const name = nameOf(shown)
    return name?.startsWith(OURS) ? name : undefined
  }

  /** Whose token this is, if it still counts. */
  function nameOf(shown: string | undefined): string | undefined {
    if (!shown?.startsWith(SCHEME)) return undefined
    return attempt(() => tokens.ofToken(secretOf(shown)), ifRefused)?.name
  }
}

function nameFor({ client, isProject, places }: Place): string {
  return `${OURS}${client.name}${isProject ? `-${hash('sha256', places.cwd).slice(0, 8)}` : ''}`
}

function secretOf(shown: string): string {
  return shown.slice(SCHEME.length)
}

/** Revoked and expired ones are. */
function isKnown(error: unknown): boolean {
  ifRefused(error)
  return (error as ParleyError).code !== 'token_unknown'
}

function ifRefused(error: unknown): undefined {
  if (!(error instanceof ParleyError) || !error.code.startsWith('token_')) throw error
}
