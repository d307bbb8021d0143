import {
  auth,
  IssuerMismatchError,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
} from '@modelcontextprotocol/client'
import { VERSION } from '../../../protocol/version.ts'
import { createAuthFetch } from './auth-fetch.ts'
import { safeAddress } from './safe-address.ts'
import type { Begun, SignIn, Tokens } from './sign-ins-file.ts'

interface Beginning {
  url: string
  redirect: string
  state: string
  client?: SignIn['client']
  metadata?: string
  scope?: string
}

/** The state that the SDK says and wants to know on the way. */
interface Draft extends Partial<Pick<Begun, 'client' | 'discovery' | 'verifier'>> {
  address?: URL
  tokens?: Tokens
}

/** Begins a sign-in up to where a person has to act: where to, and what is needed afterwards. */
export async function beginFlow({ url, redirect, state, client, metadata, scope }: Beginning) {
  const draft: Draft = { client }
  const provider = providerOf(draft, redirect, state)
  const resourceMetadataUrl = metadata === undefined ? undefined : new URL(metadata)
  await auth(provider, { serverUrl: url, resourceMetadataUrl, scope, fetchFn: createAuthFetch(url) })
  const { address, verifier, discovery } = draft
  if (!address || !draft.client || verifier === undefined || !discovery) throw new Error('it asks nobody to sign in')
  const asked = address.searchParams.get('scope') ?? undefined
  return { address: safeAddress(address, url).href, client: draft.client, verifier, discovery, scope: asked }
}

/** Finishes with the code that the person's browser brought. The SDK checks the issuer. */
export async function finishFlow({ url, begun, code, iss }: { url: string; begun: Begun; code: string; iss?: string }) {
  const { client, verifier, discovery } = begun
  const draft: Draft = { client, verifier, discovery }
  const provider = providerOf(draft, begun.redirect)
  await auth(provider, { serverUrl: url, authorizationCode: code, iss, fetchFn: createAuthFetch(url) }).catch(
    (error) => {
      // Its text holds what anybody can have written into the address.
      throw error instanceof IssuerMismatchError ? new Error('the answer is of another issuer') : error
    },
  )
  if (!draft.tokens) throw new Error('it gave no token')
  return { tokens: draft.tokens, client }
}

function providerOf(draft: Draft, redirect: string, state?: string): OAuthClientProvider {
  return {
    redirectUrl: redirect,
    clientMetadata: {
      client_name: 'Parley',
      software_id: 'parley',
      software_version: VERSION,
      redirect_uris: [redirect],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      // A program on a person's machine can keep no secret of its own.
      token_endpoint_auth_method: 'none',
    },
    ...(state !== undefined && { state: () => state }),
    clientInformation: () => draft.client,
    saveClientInformation: (client) => {
      draft.client = client
    },
    tokens: () => undefined,
    saveTokens: (tokens) => {
      draft.tokens = tokens
    },
    redirectToAuthorization: (address) => {
      draft.address = address
    },
    codeVerifier: () => draft.verifier ?? '',
    saveCodeVerifier: (verifier) => {
      draft.verifier = verifier
    },
    discoveryState: () => draft.discovery as OAuthDiscoveryState | undefined,
    saveDiscoveryState: (discovery) => {
      draft.discovery = { ...discovery }
    },
  }
}
