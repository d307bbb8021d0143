import { createHash, randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'

interface Granted {
  client: string
  redirect: string
  challenge: string
  resource: string | null
  scope: string
}

/** How it behaves from now on. */
interface Manners {
  /** What the person does, who may also be asked on a page. */
  consent: 'allow' | 'deny' | 'ask'
  /** What has to happen before it trades a code for a token. */
  trading(): Promise<void>
  refreshing: 'give' | 'refuse' | 'break' | 'say it again'
  /** What it says of itself. */
  metadata(own: Record<string, unknown>): Record<string, unknown>
  /** What a browser comes back with. */
  answer(own: URLSearchParams): URLSearchParams
}

export type OAuthServer = Awaited<ReturnType<typeof startOAuthServer>>

/** Signs people in as OAuth 2.1 has it: registers clients, wants PKCE, gives tokens for one resource and renews them. */
export async function startOAuthServer() {
  const manners: Manners = {
    consent: 'allow',
    trading: async () => {},
    refreshing: 'give',
    metadata: (own) => own,
    answer: (own) => own,
  }
  const clients = new Map<string, { redirects: string[] }>()
  const codes = new Map<string, Granted>()
  const refreshes = new Map<string, Granted>()
  /** The scope of each token that counts. */
  const tokens = new Map<string, string>()
  /** Everything secret that it gave or was shown. */
  const secrets: string[] = []
  const requests: string[] = []
  const http: Server = createServer(getRequestListener((request) => app().fetch(request)))
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const issuer: string = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  return { issuer, manners, clients, tokens, refreshes, secrets, requests, close }

  function app(): Hono {
    return new Hono()
      .use(async ({ req }, next) => {
        requests.push(`${req.method} ${req.path}`)
        await next()
      })
      .get('/.well-known/oauth-authorization-server', ({ json }) => json(manners.metadata(ownMetadata())))
      .post('/register', async ({ req, json }) => {
        const { redirect_uris: redirects, ...wanted } = await req.json()
        const client_id = `client-${randomUUID()}`
        clients.set(client_id, { redirects })
        return json({ client_id, redirect_uris: redirects, ...wanted }, 201)
      })
      .get('/authorize', ({ req, html, redirect }) => {
        const asked = new URL(req.url).searchParams
        const client = clients.get(asked.get('client_id') ?? '')
        if (!client?.redirects.includes(asked.get('redirect_uri') ?? '')) return html('<p>Unknown client</p>', 400)
        if (manners.consent !== 'ask') return redirect(back(asked, manners.consent === 'allow'))
        const links = [true, false].map(
          (yes) => `<a href="${back(asked, yes).replaceAll('&', '&amp;')}">${yes ? 'Allow' : 'Deny'}</a>`,
        )
        return html(`<!doctype html><title>Sign in</title><h1>May Parley come in?</h1><p>${links.join(' ')}</p>`)
      })
      .post('/token', async ({ req }) => {
        const sent = new URLSearchParams(await req.text())
        if (sent.get('grant_type') === 'refresh_token') return renew(sent)
        await manners.trading()
        return trade(sent)
      })
  }

  function ownMetadata() {
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      registration_endpoint: `${issuer}/register`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: ['none'],
      authorization_response_iss_parameter_supported: true,
    }
  }

  function back(asked: URLSearchParams, isAllowed: boolean): string {
    const answer = new URLSearchParams({ state: asked.get('state') ?? '', iss: issuer })
    if (isAllowed && asked.get('code_challenge_method') === 'S256') {
      const code = secret('code')
      codes.set(code, {
        client: asked.get('client_id') ?? '',
        redirect: asked.get('redirect_uri') ?? '',
        challenge: asked.get('code_challenge') ?? '',
        resource: asked.get('resource'),
        scope: asked.get('scope') ?? '',
      })
      answer.set('code', code)
    } else answer.set('error', 'access_denied')
    return `${asked.get('redirect_uri')}?${manners.answer(answer)}`
  }

  function trade(sent: URLSearchParams): Response {
    const [code, verifier] = [sent.get('code') ?? '', sent.get('code_verifier') ?? '']
    secrets.push(verifier)
    const granted = codes.get(code)
    codes.delete(code)
    const fits =
      granted &&
      granted.challenge === createHash('sha256').update(verifier).digest('base64url') &&
      granted.client === sent.get('client_id') &&
      granted.redirect === sent.get('redirect_uri') &&
      granted.resource === sent.get('resource')
    return fits ? give(granted) : refuse(`no such code ${code} for ${verifier}`)
  }

  /** Each refresh token counts once. */
  function renew(sent: URLSearchParams): Response {
    const shown = sent.get('refresh_token') ?? ''
    if (manners.refreshing === 'break') return new Response(`down, ${shown}`, { status: 503 })
    if (manners.refreshing === 'say it again') return new Response(`no ${shown} here`, { status: 400 })
    const granted = refreshes.get(shown)
    refreshes.delete(shown)
    const fits = granted && granted.client === sent.get('client_id') && granted.resource === sent.get('resource')
    return fits && manners.refreshing === 'give' ? give(granted) : refuse(`no such token ${shown}`)
  }

  function give(granted: Granted): Response {
    const [access_token, refresh_token] = [secret('access'), secret('refresh')]
    tokens.set(access_token, granted.scope)
    refreshes.set(refresh_token, granted)
    return Response.json({ access_token, refresh_token, token_type: 'Bearer', expires_in: 3600 })
  }

  function refuse(error_description: string): Response {
    return Response.json({ error: 'invalid_grant', error_description }, { status: 400 })
  }

  function secret(kind: string): string {
    const made = `${kind}-${randomUUID()}`
    secrets.push(made)
    return made
  }

  async function close() {
    http.closeAllConnections()
    await new Promise((resolve) => http.close(resolve))
  }
}
