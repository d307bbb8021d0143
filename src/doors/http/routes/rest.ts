import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import * as z from 'zod/mini'
import { ParleyError } from '../../../protocol/errors.ts'
import { parse, parseJson } from '../../../protocol/parse.ts'
import type { Principal, Role } from '../../../protocol/principal.ts'
import type { Access } from '../access/access.ts'
import type { Refusals } from '../refusals.ts'

export interface RestCall {
  server: string
  tool: string
  input: unknown
  /** The caller, given the role that it would have without a token. */
  principalAs(role: Role): Principal
  signal: AbortSignal
}

/** The tools of all servers, as far as REST needs to know them. */
export interface RestTools {
  call(call: RestCall): Promise<Record<string, unknown>>
  /** `ui_chat_human_post` is the tool `chat_human_post` of the server `ui`. */
  split(name: string): { server: string; tool: string }
}

const Call = z.object({
  server: z.string('must be text'),
  tool: z.string('must be text'),
  arguments: z.optional(z.record(z.string(), z.unknown(), 'must be an object')),
})

/**
 * Tools for callers that speak no MCP. The body is JSON whatever its content type says, as the documented curl sends.
 */
export function restRoutes({ tools, access, admit, refuse, limitBytes }: RestParts) {
  return (
    new Hono<{ Bindings: HttpBindings }>()
      // Access is checked before anything is read: a caller that may not come in is not told what there is.
      .use(({ env }, next) => {
        admit(access.principalOf(env.incoming.headers, 'human'))
        return next()
      })
      .use(bodyLimit({ maxSize: limitBytes, onError: () => refuse.rest(new ParleyError('too_large')) }))
      .post('/mcp/call', async ({ req, env }) => {
        const { server, tool, arguments: input } = parse(Call, parseJson(await req.text()))
        return Response.json(await call(env, req.raw.signal, server, tool, input))
      })
      .post('/tools/:name', async ({ req, env }) => {
        const { server, tool } = tools.split(req.param('name'))
        return Response.json(await call(env, req.raw.signal, server, tool, parseJson((await req.text()) || '{}')))
      })
      .onError(refuse.rest)
  )

  function call({ incoming }: HttpBindings, signal: AbortSignal, server: string, tool: string, input: unknown) {
    const principalAs = (role: Role) => access.principalOf(incoming.headers, role)
    return tools.call({ server, tool, input, principalAs, signal })
  }
}

interface RestParts {
  tools: RestTools
  access: Access
  /** Lets a request of this principal in, or throws why not. */
  admit(principal: Principal): void
  refuse: Refusals
  limitBytes: number
}
