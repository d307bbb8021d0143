import { ParleyError } from '../protocol/errors.ts'
import type { Principal } from '../protocol/principal.ts'
import type { Resources } from './resources.ts'

interface Listening {
  id?: string | number | null
  params?: { notifications?: { resourceSubscriptions?: unknown } }
}

/**
 * The error of a 2026-era subscription to what is not there. The SDK keeps these subscriptions itself and would
 * acknowledge any URI, so that a client with a typo would wait for ever.
 */
export function refuseUnknown(
  request: Request,
  body: unknown,
  resources: Resources,
  principal: Principal,
): Response | undefined {
  if (request.headers.get('mcp-method') !== 'subscriptions/listen') return
  const { id = null, params } = (body ?? {}) as Listening
  const uris = params?.notifications?.resourceSubscriptions
  if (!Array.isArray(uris) || uris.length === 0) return
  const problems = uris.map((uri) => problemWith(String(uri), resources, principal))
  // One that exists is worth listening to; reading the others says what is wrong with them.
  if (problems.includes(undefined)) return
  return Response.json({ jsonrpc: '2.0', id, error: { code: -32602, message: problems[0] } })
}

function problemWith(uri: string, resources: Resources, principal: Principal): string | undefined {
  try {
    resources.check(uri, principal)
  } catch (error) {
    if (!(error instanceof ParleyError)) throw error
    return error.message
  }
}
