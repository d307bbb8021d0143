import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import * as z from 'zod/mini'
import type { View } from '../../../chat/view.ts'
import { EntryId } from '../../../protocol/entries/entry.ts'
import { ParleyError } from '../../../protocol/errors.ts'
import { parse, parseJson } from '../../../protocol/parse.ts'
import type { Principal } from '../../../protocol/principal.ts'
import { REVEAL_PATH } from '../../../protocol/secrets/clear-text.ts'
import type { Refusals } from '../refusals.ts'
import { OWN_PAGES_ONLY } from './file-headers.ts'

interface RevealParts {
  viewOf(principal: Principal): Pick<View, 'reveal'>
  /** The person who calls, or throws why it is none or may not now. */
  admit(bindings: HttpBindings): Principal
  refuse: Refusals
}

const RevealQuery = z.object({ entry: EntryId })
const LIMIT_BYTES = 1024
const HEADERS = { ...OWN_PAGES_ONLY, 'cache-control': 'no-store' }

/** `POST /api/reveal {"entry": …}`: what is masked in a call, for who may decide about it. */
export function revealRoute({ viewOf, admit, refuse }: RevealParts) {
  return new Hono<{ Bindings: HttpBindings }>()
    .use(REVEAL_PATH, bodyLimit({ maxSize: LIMIT_BYTES, onError: () => refuse.rest(new ParleyError('too_large')) }))
    .post(REVEAL_PATH, async ({ req, env }) => {
      const view = viewOf(admit(env))
      const { entry } = parse(RevealQuery, parseJson(await req.text()))
      return Response.json(await view.reveal(entry), { headers: HEADERS })
    })
    .onError(refuse.rest)
}
