import {
  CLIENT_CAPABILITIES_META_KEY,
  LOG_LEVEL_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { orUndo } from '../../../io/or-undo.ts'
import { isRecord } from '../../../protocol/text/record.ts'
import type { Mount } from '../mounts/mount.ts'
import type { Raw } from '../upstream/upstream.ts'
import type { HeldCalls, Over } from './held-calls.ts'
import { type Attached, beginCall, type Open, type Round } from './rounds.ts'

/** What a client of the 2025 era may take to answer what a server asks. */
const ANSWER_MS = 30 * 60_000

/** Everything passes as it is. */
const ANYTHING = {
  '~standard': { version: 1 as const, vendor: 'parley', validate: (value: unknown) => ({ value: value as Raw }) },
}

interface CallerParts {
  server: Server
  /** The client, the same for all its requests. */
  client: object
  held: HeldCalls
  /** Whether it wants to be told of what a server logs. */
  wantsLog(params: Raw): boolean
}

interface ForwardedCall {
  mount: Mount
  method: string
  params: Raw
  context: ServerContext
  /** The caller and the tool. */
  whose: string
  /** Hears how it ended, in whichever request that was. */
  over?: Over
  /** Ends it with its reason. */
  expiry?: AbortSignal
}

/** Forwards calls of one client, and what servers want to know for them. */
export function createCaller({ server, client, held, wantsLog }: CallerParts) {
  return { call, heldFor }

  async function call({ mount, method, params, context, whose, over, expiry }: ForwardedCall): Promise<Raw> {
    return following(over, async () =>
      ended(await beginCall(mount, method, params, attachedBy(context), expiry), { context, whose, over, expiry }),
    )
  }

  function following(over: Over | undefined, work: () => Promise<Raw>): Promise<Raw> {
    return orUndo(work, (error) => over?.({ error }))
  }

  /** What goes on with a call that was held, if the request belongs to one. Such a call was let through before. */
  function heldFor(context: ServerContext, whose: string): (() => Promise<Raw>) | undefined {
    const state = context.mcpReq.requestState()
    if (state === undefined) return undefined
    const { open, over } = held.take(state, whose) ?? {}
    if (!open) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid or expired requestState')
    const answers = (context.mcpReq.inputResponses ?? {}) as Record<string, Raw>
    return () =>
      following(over, async () => ended(await open.goOn(answers, attachedBy(context)), { context, whose, over }))
  }

  async function ended(
    round: Round,
    asked: Pick<ForwardedCall, 'context' | 'whose' | 'over' | 'expiry'>,
  ): Promise<Raw> {
    const { context, whose, over, expiry } = asked
    if ('result' in round) {
      await over?.(round)
      return round.result
    }
    if (isModern(context))
      return { resultType: 'input_required', inputRequests: round.wants, requestState: held.hold(round, whose, over) }
    return ended(await round.goOn(await answersTo(round, context, expiry), attachedBy(context)), asked)
  }

  async function answersTo(
    { wants }: Open,
    context: ServerContext,
    expiry: AbortSignal | undefined,
  ): Promise<Record<string, Raw | Error>> {
    const signal = expiry ? AbortSignal.any([context.mcpReq.signal, expiry]) : context.mcpReq.signal
    const answers = Object.entries(wants).map(async ([key, request]): Promise<[string, Raw | Error]> => {
      const asking = context.mcpReq.send(request as { method: string; params: Raw }, ANYTHING, {
        signal,
        timeout: ANSWER_MS,
      })
      return [key, (await asking.catch((error: Error) => error)) as Raw | Error]
    })
    return Object.fromEntries(await Promise.all(answers))
  }

  function attachedBy(context: ServerContext): Attached {
    const { mcpReq } = context
    const progressToken = mcpReq._meta?.progressToken
    const capabilities = capabilitiesOf(context)
    const level = envelopeOf(context)[LOG_LEVEL_META_KEY]
    return {
      client,
      signal: mcpReq.signal,
      capabilities,
      meta: {
        [CLIENT_CAPABILITIES_META_KEY]: capabilities,
        ...(level !== undefined && { [LOG_LEVEL_META_KEY]: level }),
      },
      progress:
        progressToken === undefined
          ? undefined
          : (params) => tell('notifications/progress', { ...params, progressToken }),
      log: (params) => {
        const isWanted = isModern(context) ? level !== undefined : wantsLog(params)
        if (isWanted) tell('notifications/message', params)
      },
    }

    /** A client that is gone needs not be told. */
    function tell(method: string, params: Raw) {
      mcpReq.notify({ method, params }).catch(() => {})
    }
  }

  function capabilitiesOf(context: ServerContext): Raw {
    const declared = isModern(context)
      ? envelopeOf(context)[CLIENT_CAPABILITIES_META_KEY]
      : server.getClientCapabilities()
    return isRecord(declared) ? declared : {}
  }
}

function envelopeOf({ mcpReq }: ServerContext): Raw {
  return (mcpReq.envelope ?? {}) as Raw
}

/** Each request of the 2026 era carries what its client can do. */
function isModern(context: ServerContext): boolean {
  return context.mcpReq.envelope !== undefined
}
