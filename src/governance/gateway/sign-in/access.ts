import {
  type AuthProvider,
  extractWWWAuthenticateParams,
  type OAuthDiscoveryState,
  refreshAuthorization,
} from '@modelcontextprotocol/client'
import { type Hide, hiding } from '../mounts/own-secrets.ts'
import { createAuthFetch } from './auth-fetch.ts'
import { NeedsSignIn } from './needs-sign-in.ts'
import type { SignInsFile, Tokens } from './sign-ins-file.ts'

interface AccessParts {
  name: string
  url: string
  file: SignInsFile
}

export type Access = ReturnType<typeof createAccess>

/** The number of secrets that are hidden: more than a server could still say. */
const MOST_SECRETS = 20

/** The way in to one server, with what a person's sign-in left; without, whoever asks is told that it takes one. */
export function createAccess({ name, url, file }: AccessParts) {
  /** The token of the request behind each answer that refused it. */
  const askedWith = new WeakMap<Response, string | undefined>()
  const secrets = new Set<string>()
  let renewing: Promise<void> | undefined
  let hide: Hide = (text) => text
  const provider: AuthProvider = { token: async () => token(), onUnauthorized }
  return {
    provider,
    headers: (): Record<string, string> => {
      const shown = token()
      return shown === undefined ? {} : { authorization: `Bearer ${shown}` }
    },
    refused(response: Response, headers: HeadersInit | undefined) {
      askedWith.set(response, new Headers(headers).get('authorization')?.replace(/^Bearer /, ''))
    },
    hide: (text: string) => hide(text),
  }

  function tokens(): Tokens | undefined {
    const kept = file.of(name, url)?.tokens
    if (kept) remember([kept.access_token, kept.refresh_token])
    return kept
  }

  function token(): string | undefined {
    return tokens()?.access_token
  }

  /** A server may still say an old one. */
  function remember(said: (string | undefined)[]) {
    const fresh = said.filter((secret) => secret !== undefined && !secrets.has(secret))
    if (fresh.length === 0) return
    for (const secret of fresh) if (secret !== undefined) secrets.add(secret)
    for (const oldest of [...secrets].slice(0, -MOST_SECRETS)) secrets.delete(oldest)
    hide = hiding(secrets)
  }

  async function onUnauthorized({ response }: { response: Response }) {
    const { scope, resourceMetadataUrl } = extractWWWAuthenticateParams(response)
    const needed = new NeedsSignIn({ scope, metadata: resourceMetadataUrl?.href })
    const now = token()
    // Another call was told so before, and there is a new one by now.
    if (now !== undefined && askedWith.has(response) && now !== askedWith.get(response)) return
    renewing ??= renew(needed).finally(() => {
      renewing = undefined
    })
    await renewing
  }

  /** Renews it once for all calls that want it: with the next refresh token the last one may be void. */
  async function renew(needed: NeedsSignIn) {
    const kept = file.of(name, url)
    const [refresh, client, discovery] = [kept?.tokens?.refresh_token, kept?.client, kept?.discovery]
    if (!kept || refresh === undefined || !client || !discovery) throw needed
    const { authorizationServerUrl, authorizationServerMetadata, resourceMetadata } = discovery as OAuthDiscoveryState
    const ask = createAuthFetch(url)
    let status = 0
    try {
      const fresh = await refreshAuthorization(authorizationServerUrl, {
        metadata: authorizationServerMetadata,
        clientInformation: client,
        refreshToken: refresh,
        resource: resourceMetadata?.resource,
        fetchFn: async (...asked) => {
          const response = await ask(...asked)
          status = response.status
          return response
        },
      })
      keep(refresh, { scope: kept.tokens?.scope, ...fresh })
    } catch (error) {
      if (!isRefusal(status)) throw error
      keep(refresh, undefined)
      throw needed
    }
  }

  /** Keeps the tokens unless somebody signed in or out meanwhile. */
  function keep(renewed: string, tokens: Tokens | undefined) {
    const kept = file.of(name, url)
    if (kept?.tokens?.refresh_token === renewed) file.put(name, { ...kept, tokens })
  }
}

/** A server that is only away, or too busy, may renew it later. */
function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 429
}
