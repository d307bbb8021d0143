import { Hono } from 'hono'
import { html } from 'hono/html'
import { ERRORS, ParleyError } from '../protocol/errors.ts'
import type { Access } from './access.ts'
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
 * A browser trades a one-time link for a cookie. Opening the link changes nothing, so that previews and scanners cannot
 * use it up; only its button does.
 */
export function signIn({ access, refuse, signedOut }: SignInParts) {
  return new Hono()
    .get('/sign-in/:code', ({ req }) => {
      const { name } = access.ofLink(req.param('code'))
      const form = html`<form method="post"><button autofocus>Sign in as ${name}</button></form>`
      return page(200, form)
    })
    .post('/sign-in/:code', async ({ req }) => {
      const secret = await access.trade(req.param('code'))
      const secure = req.header('origin')?.startsWith('https:') ?? false
      return leave(303, setCookie(secret, COOKIE_LIFE_MS, secure), { location: '/' })
    })
    .post('/sign-out', async ({ req }) => {
      const secret = cookieIn(req.header('cookie'))
      if (secret !== undefined) await access.forget(secret)
      signedOut()
      return leave(204, clearCookie())
    })
    .onError((error) => {
      if (!(error instanceof ParleyError)) return refuse.call(error)
      return page(ERRORS[error.code].http, html`<p>${error.message}.</p>`)
    })
}

function leave(status: number, cookie: string, headers: Record<string, string> = {}): Response {
  return new Response(null, { status, headers: { 'set-cookie': cookie, 'cache-control': 'no-store', ...headers } })
}

async function page(status: number, content: ReturnType<typeof html>): Promise<Response> {
  const text = await html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Sign in to Parley</title>
<link rel="icon" href="/favicon.svg">
<link rel="stylesheet" href="/sign-in.css">
<script src="/theme.js"></script>
<main><img src="/favicon.svg" alt="" width="48" height="48"><h1>Parley</h1>${content}</main>
`
  return new Response(String(text), { status, headers: { 'content-type': 'text/html; charset=utf-8', ...HEADERS } })
}
