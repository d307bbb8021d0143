import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import { html } from 'hono/html'
import { ERRORS, ParleyError } from '../protocol/errors.ts'
import { LOCAL } from '../protocol/local.ts'
import { type Access, keyIn } from './access.ts'
import { clearCookie, cookieIn, setCookie } from './cookie.ts'
import { PAGE_HEADERS } from './page.ts'
import type { Refusals } from './refusals.ts'
import { COOKIE_LIFE_MS } from './tokens.ts'

const HEADERS = {
  ...PAGE_HEADERS,
  'content-security-policy': PAGE_HEADERS['content-security-policy'].replace(
    "form-action 'none'",
    "form-action 'self'",
  ),
  // With `no-referrer` browsers send the form with the origin "null", which the guard refuses.
  'referrer-policy': 'strict-origin',
  'cache-control': 'no-store',
}

export interface SignInParts {
  access: Access
  refuse: Refusals
  /** A browser signed out; what it has open must end. */
  signedOut(): void
}

/**
 * A browser trades a one-time link for a cookie, and for a key that stays in the origin of the page. Opening the link
 * changes nothing, so that previews and scanners cannot use it up; only its button does. That of the owner presses itself
 * where scripts run: whoever has it can write the data folder, so that nobody is signed in as somebody else by it.
 */
export function signIn({ access, refuse, signedOut }: SignInParts) {
  return new Hono<{ Bindings: HttpBindings }>()
    .get('/sign-in/:code', ({ req }) => {
      const { name } = access.ofLink(req.param('code'))
      return page(
        200,
        name === LOCAL ? OWNERS_BUTTON : html`<form method="post"><button autofocus>Sign in as ${name}</button></form>`,
      )
    })
    .post('/sign-in/:code', async ({ req }) => {
      const { cookie, pageKey } = await access.trade(req.param('code'))
      const secure = req.header('origin')?.startsWith('https:') ?? false
      return page(
        200,
        html`<p id="key" data-key="${pageKey}">Signed in.</p>`,
        setCookie(cookie, COOKIE_LIFE_MS, secure),
      )
    })
    .post('/sign-out', async ({ req, env }) => {
      const secret = cookieIn(req.header('cookie'))
      if (secret !== undefined) await access.forget(secret, keyIn(env.incoming.headers))
      signedOut()
      return new Response(null, { status: 204, headers: { 'set-cookie': clearCookie(), 'cache-control': 'no-store' } })
    })
    .onError((error) => {
      if (!(error instanceof ParleyError)) return refuse.call(error)
      return page(ERRORS[error.code].http, html`<p>${error.message}.</p>`)
    })
}

const OWNERS_BUTTON = html`<form id="owner" method="post"><button autofocus>Sign in</button></form>`

async function page(status: number, content: ReturnType<typeof html>, cookie?: string): Promise<Response> {
  const text = await html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Sign in to Parley</title>
<link rel="icon" href="/favicon.svg">
<link rel="stylesheet" href="/sign-in.css">
<script src="/theme.js"></script>
<script src="/sign-in.js" defer></script>
<main><img src="/favicon.svg" alt="" width="48" height="48"><h1>Parley</h1>${content}</main>
`
  const headers = new Headers({ 'content-type': 'text/html; charset=utf-8', ...HEADERS })
  if (cookie !== undefined) headers.set('set-cookie', cookie)
  return new Response(String(text), { status, headers })
}
