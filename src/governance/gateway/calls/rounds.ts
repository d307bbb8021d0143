import { METHOD_NOT_FOUND, ProtocolError } from '@modelcontextprotocol/server'
import { isRecord } from '../../../protocol/text/record.ts'
import type { Mount } from '../mounts/mount.ts'
import type { Raw } from '../upstream/upstream.ts'

/** A request of a client that waits for a call; one call may need several. */
export interface Attached {
  client: object
  signal: AbortSignal
  capabilities: Raw
  progress?(params: Raw): void
  log(params: Raw): void
  /** The fields that go along to a server of the 2026 era. */
  meta: Raw
}

/** What became of a call so far: its result, or what its server wants from the client before it goes on. */
export type Round = { result: Raw } | Open

export interface Open {
  wants: Record<string, Raw>
  /** Goes on with a result or an error for each. */
  goOn(answers: Record<string, Raw | Error>, attached: Attached): Promise<Round>
  /** Nobody will go on. */
  drop(): void
}

interface Asked {
  request: Raw
  resolve(answer: Raw): void
  reject(error: Error): void
}

/** The capability of a client that each of these needs. */
const NEEDS: Record<string, string> = { 'sampling/createMessage': 'sampling', 'elicitation/create': 'elicitation' }

/**
 * A call at a server of either era for a client of either era: one of 2025 asks while it works on the call, one of 2026
 * answers with what it wants and is called again.
 */
export function beginCall(
  mount: Mount,
  method: string,
  params: Raw,
  first: Attached,
  expiry?: AbortSignal,
): Promise<Round> {
  const abort = new AbortController()
  const asked = new Map<string, Asked>()
  let attached: Attached | undefined
  let interrupt: (() => void) | undefined
  let count = 0
  expiry?.addEventListener('abort', () => end(expiry.reason))
  return round(send(params), first)

  function send(params: Raw): Promise<Raw> {
    const running = mount.request(method, params, {
      client: first.client,
      signal: abort.signal,
      meta: mount.isModern() ? first.meta : undefined,
      progress: first.progress && ((params) => attached?.progress?.(params)),
      log: (params) => attached?.log(params),
      ask,
    })
    // The next round reports the error.
    running.catch(() => {})
    return running
  }

  async function round(running: Promise<Raw>, next: Attached): Promise<Round> {
    const { promise: interrupted, resolve } = Promise.withResolvers<undefined>()
    interrupt = () => resolve(undefined)
    attached = next
    next.signal.addEventListener('abort', drop)
    if (next.signal.aborted) drop()
    if (asked.size > 0) interrupt()
    try {
      const result = await Promise.race([running, interrupted])
      if (!result) return { wants: wantsOf(asked), goOn: (answers, next) => answer(running, answers, next), drop }
      if (result.resultType !== 'input_required') return { result }
      const { inputRequests, requestState } = result
      const wants = isRecord(inputRequests) ? (inputRequests as Record<string, Raw>) : {}
      return { wants, goOn: (answers, next) => callAgain(answers, requestState, next), drop }
    } finally {
      next.signal.removeEventListener('abort', drop)
      attached = undefined
    }
  }

  function drop() {
    end()
  }

  function end(reason?: unknown) {
    abort.abort(reason)
    for (const { reject } of asked.values()) reject(new Error('The call was cancelled'))
  }

  function ask(method: string, params: Raw): Promise<Raw> {
    const needed = NEEDS[method] ?? ''
    if (!first.capabilities[needed]) throw new ProtocolError(METHOD_NOT_FOUND, `The client does not offer ${needed}`)
    return new Promise((resolve, reject) => {
      asked.set(`${++count}`, { request: { method, params }, resolve, reject })
      interrupt?.()
    })
  }

  function answer(running: Promise<Raw>, answers: Record<string, Raw | Error>, next: Attached): Promise<Round> {
    for (const [key, given] of Object.entries(answers)) {
      const { resolve, reject } = asked.get(key) ?? {}
      asked.delete(key)
      if (given instanceof Error) reject?.(given)
      else resolve?.(given)
    }
    return round(running, next)
  }

  async function callAgain(
    answers: Record<string, Raw | Error>,
    requestState: unknown,
    next: Attached,
  ): Promise<Round> {
    abort.signal.throwIfAborted()
    for (const given of Object.values(answers)) if (given instanceof Error) throw given
    return round(
      send({ ...params, inputResponses: answers, ...(requestState !== undefined && { requestState }) }),
      next,
    )
  }
}

function wantsOf(asked: Map<string, Asked>): Record<string, Raw> {
  return Object.fromEntries([...asked].map(([key, { request }]) => [key, request]))
}
