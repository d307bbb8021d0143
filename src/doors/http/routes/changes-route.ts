import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { View } from '../../../chat/view.ts'
import { ParleyError } from '../../../protocol/errors.ts'
import { CHANGES_PATH, ChangesQuery } from '../../../protocol/frames/changes.ts'
import { parse, parseJson } from '../../../protocol/parse.ts'
import type { Principal } from '../../../protocol/principal.ts'
import type { Refusals } from '../refusals.ts'
import { OWN_PAGES_ONLY } from './file-headers.ts'

interface ChangesParts {
  viewOf(principal: Principal): Pick<View, 'changes'>
  /** The person who calls, or throws why it is none or may not now. */
  admit(bindings: HttpBindings): Principal
  refuse: Refusals
}

const LIMIT_BYTES = 16 * 1024
const HEADERS = { ...OWN_PAGES_ONLY, 'cache-control': 'no-store' }

/** `POST /api/changes {"conversation": …}`: what an agent changed, for who may read the conversation. */
export function changesRoute({ viewOf, admit, refuse }: ChangesParts) {
  return new Hono<{ Bindings: HttpBindings }>()
    .use(CHANGES_PATH, bodyLimit({ maxSize: LIMIT_BYTES, onError: () => refuse.rest(new ParleyError('too_large')) }))
    .post(CHANGES_PATH, async ({ req, env }) => {
      const view = viewOf(admit(env))
      const { conversation, path } = parse(ChangesQuery, parseJson(await req.text()))
      return Response.json(await view.changes(conversation, path), { headers: HEADERS })
    })
    .onError(refuse.rest)
}
