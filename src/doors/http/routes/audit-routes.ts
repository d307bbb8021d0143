import type { IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import { ParleyError } from '../../../protocol/errors.ts'
import { AUDIT_PATH, AUDIT_VERIFY_PATH, type AuditVerified } from '../../../protocol/tools/audit.ts'
import type { Refusals } from '../refusals.ts'
import { streamed } from './export-route.ts'

/** The calls and decisions, as far as this door needs to know them. */
export interface AuditReading {
  /** Every call, one a line. */
  calls(): AsyncIterable<string>
  verify(head?: string): Promise<AuditVerified>
}

interface AuditParts {
  audit?: AuditReading
  /** Whether this request came over the socket of the data folder, from who can read the folder. */
  isOwner(request: IncomingMessage): boolean
  refuse: Refusals
}

const NOT_KEPT = { 'cache-control': 'no-store' }

/** Routes for the owner of the data folder; for everybody else there is nothing here. */
export function auditRoutes({ audit, isOwner, refuse }: AuditParts) {
  return new Hono<{ Bindings: HttpBindings }>()
    .get(AUDIT_PATH, ({ env, req }) => {
      const headers = { ...NOT_KEPT, 'content-type': 'application/x-ndjson' }
      return new Response(streamed(lively(forOwner(env, req.path).calls())), { headers })
    })
    .get(AUDIT_VERIFY_PATH, ({ env, req }) => {
      const verified = textOf(forOwner(env, req.path).verify(req.query('head')))
      return new Response(streamed(lively(verified)), { headers: { ...NOT_KEPT, 'content-type': 'application/json' } })
    })
    .onError(refuse.rest)

  function forOwner({ incoming }: HttpBindings, path: string): AuditReading {
    if (!audit || !isOwner(incoming)) throw new ParleyError('not_found', { path })
    return audit
  }
}

async function* textOf(verified: Promise<AuditVerified>): AsyncGenerator<string> {
  yield JSON.stringify(await verified)
}

const KEEPALIVE_MS = 1000

/** A long log takes long to be read, and who hears nothing for a while goes: an empty line says that it goes on. */
async function* lively(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  const iterator = chunks[Symbol.asyncIterator]()
  for (let next = iterator.next(); ; ) {
    const result = await Promise.race([next, pause(KEEPALIVE_MS, undefined)])
    if (result?.done) return
    if (result) next = iterator.next()
    yield result?.value ?? '\n'
  }
}
