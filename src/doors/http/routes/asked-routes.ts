import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { View } from '../../../chat/view.ts'
import { ParleyError } from '../../../protocol/errors.ts'
import { CHANGES_PATH, ChangesQuery } from '../../../protocol/frames/asked/changes.ts'
import { CHOICES_PATH, ChoicesQuery } from '../../../protocol/frames/asked/choices.ts'
import { parse, parseJson } from '../../../protocol/parse.ts'
import type { Principal } from '../../../protocol/principal.ts'
import type { Refusals } from '../refusals.ts'
import { OWN_PAGES_ONLY } from './file-headers.ts'

interface AskedParts {
  viewOf(principal: Principal): Pick<View, 'changes' | 'choices'>
  /** The person who calls, or throws why it is none or may not now. */
  admit(bindings: HttpBindings): Principal
  refuse: Refusals
}

const LIMIT_BYTES = 16 * 1024
const HEADERS = { ...OWN_PAGES_ONLY, 'cache-control': 'no-store' }

/** What people ask of those who drive agents: what was changed and what can be chosen, for who may read that. */
export function askedRoutes({ viewOf, admit, refuse }: AskedParts) {
  const limit = bodyLimit({ maxSize: LIMIT_BYTES, onError: () => refuse.rest(new ParleyError('too_large')) })
  return new Hono<{ Bindings: HttpBindings }>()
    .post(CHANGES_PATH, limit, async ({ req, env }) => {
      const view = viewOf(admit(env))
      const { conversation, path } = parse(ChangesQuery, parseJson(await req.text()))
      return Response.json(await view.changes(conversation, path), { headers: HEADERS })
    })
    .post(CHOICES_PATH, limit, async ({ req, env }) => {
      const view = viewOf(admit(env))
      const wanted = parse(ChoicesQuery, parseJson(await req.text()))
      return Response.json(await view.choices(wanted), { headers: HEADERS })
    })
    .onError(refuse.rest)
}
