import type { HttpEndpoint } from '../../../src/doors/http/server.ts'
import type { Principal } from '../../../src/protocol/principal.ts'
import { SAME_CALLER } from './same-caller.ts'

/** Fetches from a mount without a listener in between: an answer has left when the client has read all of it. */
export function fetchFrom({ fetch }: Pick<HttpEndpoint, 'fetch'>, principal: () => Principal) {
  return async (url: string | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(url, init)
    const { promise: finished, resolve } = Promise.withResolvers<boolean>()
    request.signal.addEventListener('abort', () => resolve(false))
    const { body, status, headers } = await fetch(request, principal(), { finished, ...SAME_CALLER })
    if (!body) resolve(true)
    const whole = new TransformStream({ flush: () => resolve(true) })
    return new Response(body?.pipeThrough(whole) ?? null, { status, headers })
  }
}
