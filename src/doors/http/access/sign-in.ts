import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import { html } from 'hono/html'
import { LOCAL } from '../../../protocol/local.ts'
import type { Refusals } from '../refusals.ts'
import { refusalPage, smallPage } from '../small-page.ts'
import { type Access, keyIn } from './access.ts'
import { clearCookie, cookieIn, setCookie } from './cookie.ts'
import { deviceNameFrom } from './devices/device-name.ts'
import { COOKIE_LIFE_MS } from './tokens.ts'

interface SignInParts {
  access: Access
  refuse: Refusals
  /** A browser signed out; what it has open must end. */
  signedOut(): void
}

/**
 * A browser trades a one-time link for a cookie, and for a key that stays in the origin of the page. Opening the link
 * changes nothing, so that previews and scanners cannot use it up; only its button does. That of the owner presses
 * itself where scripts run: whoever has it can write the data folder, so that nobody is signed in as somebody else by
 * it.
 */
export function signIn({ access, refuse, signedOut }: SignInParts) {
  return new Hono<{ Bindings: HttpBindings }>()
    .get('/sign-in/:code', ({ req }) => {
      const { name } = access.ofLink(req.param('code'))
      return smallPage(
        200,
        TITLE,
        name === LOCAL ? OWNERS_BUTTON : html`<form method="post"><button autofocus>Sign in as ${name}</button></form>`,
      )
    })
    .post('/sign-in/:code', async ({ req }) => {
      const { cookie, pageKey } = await access.trade(req.param('code'), deviceNameFrom(req.header('user-agent')))
      const secure = req.header('origin')?.startsWith('https:') ?? false
      return smallPage(
        200,
        TITLE,
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
    .onError(refusalPage(TITLE, refuse))
}

const TITLE = 'Sign in to Parley'
const OWNERS_BUTTON = html`<form id="owner" method="post"><button autofocus>Sign in</button></form>`
