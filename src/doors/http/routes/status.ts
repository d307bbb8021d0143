import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import type { ParleyError } from '../../../protocol/errors.ts'
import type { Access } from '../access/access.ts'
import type { Refusals } from '../refusals.ts'

/** How the hub is, as far as this door needs to know it. */
export interface Status {
  /** Why the hub cannot work now, if it cannot. */
  refusal(): ParleyError | undefined
  /** Metrics in the Prometheus text format. */
  metrics(): string
}

interface StatusParts {
  status: Status
  access: Access
  refuse: Refusals
}

const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** Routes for whoever keeps the hub running: liveness, readiness and metrics. */
export function statusRoutes({ status, access, refuse }: StatusParts) {
  return new Hono<{ Bindings: HttpBindings }>()
    .get('/healthz', (context) => context.json({ name: 'parley', status: 'ok' }))
    .get('/readyz', (context) => {
      const refusal = status.refusal()
      return refusal ? refuse.rest(refusal) : context.json({ name: 'parley', status: 'ready' })
    })
    .get('/metrics', ({ env }) => {
      access.principalOf(env.incoming.headers, 'human')
      return new Response(status.metrics(), { headers: { 'content-type': METRICS_TYPE } })
    })
    .onError(refuse.rest)
}
