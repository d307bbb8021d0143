import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import { html } from 'hono/html'
import { ParleyError } from '../../../protocol/errors.ts'
import { CALLBACK_PATH } from '../../../protocol/frames/sign-in-callback.ts'
import type { Refusals } from '../refusals.ts'
import { refusalPage, smallPage } from '../small-page.ts'

/** Takes what a browser brings from signing in to a mounted server, and tells to which. */
export type FinishSignIn = (brought: URLSearchParams) => Promise<{ name: string }>

interface MountSignInParts {
  finish: FinishSignIn
  refuse: Refusals
}

const TITLE = 'Sign in to a server'
const LOOPBACK = /^(::ffff:)?127\.|^::1$/

/**
 * The route that browsers of this machine return to. They bring no cookie from another site: only the parameters count.
 */
export function mountSignIn({ finish, refuse }: MountSignInParts) {
  return new Hono<{ Bindings: HttpBindings }>()
    .get(CALLBACK_PATH, async ({ req, env }) => {
      const { remoteAddress = '' } = env.incoming.socket
      if (!LOOPBACK.test(remoteAddress)) throw new ParleyError('not_found', { path: CALLBACK_PATH })
      const { name } = await finish(new URL(req.url).searchParams)
      return smallPage(200, TITLE, html`<p>Signed in to ${name}. You can close this tab.</p>`)
    })
    .onError(refusalPage(TITLE, refuse))
}
