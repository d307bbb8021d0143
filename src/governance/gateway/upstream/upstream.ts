import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  Client,
  INTERNAL_ERROR,
  type JSONRPCMessage,
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SERVER_INFO_META_KEY,
  type ServerCapabilities,
} from '@modelcontextprotocol/client'
import { ParleyError } from '../../../protocol/errors.ts'
import { isTooDeep, TOO_DEEP } from '../../../protocol/text/nesting.ts'
import { isRecord } from '../../../protocol/text/record.ts'
import { VERSION } from '../../../protocol/version.ts'
import type { MountLog } from '../mounts/mount-log.ts'
import type { Patience } from '../mounts/patience.ts'
import { signInNeeded } from '../sign-in/sign-in-needed.ts'
import { listAll } from './list-all.ts'
import { OddAnswer } from './odd-answer.ts'
import type { UpstreamTransport } from './process-transport.ts'
import { usableSchemas } from './usable-schemas.ts'

export type Raw = Record<string, unknown>

export interface Asking {
  signal?: AbortSignal
  progress?(params: Raw): void
  /** The client's own fields that stand in for what Parley can do. */
  meta?: Raw
}

export interface UpstreamParts {
  transport: UpstreamTransport
  /** Whether it is known to be of the 2025 era. */
  isLegacy: boolean
  patience: Pick<Patience, 'startMs' | 'messagesASecond'>
  log: MountLog
  /** What the server tells; what belongs to a call is told to that. */
  told(method: string, params: Raw): void
  /** What the server asks its client for. */
  asked(method: string, params: Raw): Promise<Raw>
  closed(): void
}

export type Upstream = Awaited<ReturnType<typeof connectUpstream>>

interface Waiting {
  resolve(result: Raw): void
  reject(error: Error): void
  progress?(params: Raw): void
}

const INFO = { name: 'parley', title: 'Parley', version: VERSION }
// No roots: those of one client would be everybody's.
const CAPABILITIES = { sampling: {}, elicitation: { form: {}, url: {} } }
const ASKED = ['sampling/createMessage', 'elicitation/create']
/** A server of the 2025 era may not answer what it does not know. */
const PROBE_MS = 10_000

/**
 * A connection to a server, of either era. The SDK says hello; what follows passes as it is, because its schemas drop
 * what they do not know, and cost time.
 */
export async function connectUpstream({ transport, isLegacy, patience, log, told, asked, closed }: UpstreamParts) {
  const { startMs, messagesASecond } = patience
  const client = new Client(INFO, {
    capabilities: CAPABILITIES,
    versionNegotiation: { mode: 'auto', probe: { timeoutMs: Math.min(PROBE_MS, startMs) } },
  })
  await client.connect(transport, { timeout: startMs, ...(isLegacy && { prior: { kind: 'legacy' } }) })
  const isModern = client.getProtocolEra() === 'modern'
  if (!isModern) transport.hurry?.()
  const envelope = isModern && {
    [PROTOCOL_VERSION_META_KEY]: client.getNegotiatedProtocolVersion(),
    [CLIENT_INFO_META_KEY]: INFO,
    [CLIENT_CAPABILITIES_META_KEY]: CAPABILITIES,
  }
  const waiting = new Map<string, Waiting>()
  const schemas = usableSchemas.forServer()
  const toClient = transport.onmessage?.bind(transport)
  let [last, heardAt, counted, countedSince] = [0, Date.now(), 0, 0]
  transport.onmessage = (message) => {
    heardAt = Date.now()
    if (isFlood()) void giveUp('it sends more than can be read')
    else if (isTooDeep(message)) refused((message as unknown as Raw).id, TOO_DEEP)
    else if (!hear(message as unknown as Raw)) toClient?.(message)
  }
  transport.refused = (answer, why) => {
    heardAt = Date.now()
    refused('id' in answer ? answer.id : idIn(answer.ends), why)
  }
  client.onclose = () => {
    for (const { reject } of waiting.values()) reject(new Error(transport.reason ?? 'the connection was closed'))
    waiting.clear()
    closed()
  }
  return {
    isModern,
    instructions: client.getInstructions(),
    capabilities: (client.getServerCapabilities() ?? {}) as ServerCapabilities,
    request,
    list: (method: string, leftOut: (what: string) => void) => listAll(method, { request, leftOut, schemas }),
    listen: client.listen.bind(client),
    heardAt: () => heardAt,
    giveUp,
    close: () => client.close(),
  }

  function request(method: string, params: Raw, { signal, progress, meta }: Asking = {}): Promise<Raw> {
    signal?.throwIfAborted()
    const id = `parley-${++last}`
    const perRequest = isModern && transport.hasPerRequestStream === true ? new AbortController() : undefined
    const { promise, resolve, reject } = Promise.withResolvers<Raw>()
    waiting.set(id, { resolve, reject, progress })
    signal?.addEventListener('abort', cancel)
    const message = { id, method, params: enveloped(params, { ...meta, ...(progress && { progressToken: id }) }) }
    const onRequestStreamEnd = () => reject(new Error('it ended its answer before the end'))
    transport
      .send(rpc(message), { requestSignal: perRequest?.signal, onRequestStreamEnd })
      .catch((error) => failed(error, reject))
    return promise.finally(() => {
      waiting.delete(id)
      signal?.removeEventListener('abort', cancel)
    })

    function cancel() {
      if (perRequest) perRequest.abort()
      else void send({ method: 'notifications/cancelled', params: { requestId: id, reason: 'cancelled' } })
      const { reason } = signal as AbortSignal
      reject(
        reason instanceof ParleyError ? reason : new SdkError(SdkErrorCode.RequestTimeout, 'The call was cancelled'),
      )
    }
  }

  /** Nothing is added to what goes to a server of the 2025 era. */
  function enveloped(params: Raw, meta: Raw): Raw {
    const own = isRecord(params._meta) ? params._meta : undefined
    if (!envelope && Object.keys(meta).length === 0) return params
    return { ...params, _meta: { ...envelope, ...own, ...meta } }
  }

  async function send(message: Raw) {
    const { params = {} } = message as { params?: Raw }
    // Callers that need an answer are told that there will be none.
    await transport
      .send(rpc({ ...message, ...('method' in message && { params: enveloped(params, {}) }) }))
      .catch(ignore)
  }

  /** Whether it is the answer to a call, or what belongs to one. */
  function hear(message: Raw): boolean {
    if (typeof message.method !== 'string') return settle(message)
    transport.said?.()
    const params = isRecord(message.params) ? message.params : {}
    if (message.id !== undefined) {
      if (isModern || !ASKED.includes(message.method)) return false
      void answer(message.id, asked(message.method, params))
      return true
    }
    const caller = message.method === 'notifications/progress' && waiting.get(String(params.progressToken))
    if (caller) caller.progress?.(params)
    else told(message.method, params)
    return Boolean(caller)
  }

  /** An answer that nobody could be told of ends its call, and no other. */
  function refused(id: unknown, why: string) {
    log.tell(why)
    waiting.get(String(id))?.reject(new OddAnswer(why))
  }

  function settle({ id, result, error }: Raw): boolean {
    const caller = typeof id === 'string' ? waiting.get(id) : undefined
    if (!caller) return false
    if (isRecord(result)) caller.resolve(withoutIdentity(result))
    else caller.reject(isRecord(error) ? errorIn(error) : new OddAnswer('it sent neither a result nor an error'))
    return true
  }

  /** A client that is gone does not lack the method: only what says its code is told with it. */
  function answer(id: unknown, asking: Promise<Raw>): Promise<void> {
    return asking.then(
      (result) => send({ id, result }),
      ({ code, message }: { code?: unknown; message: string }) =>
        send({ id, error: { code: Number.isSafeInteger(code) ? code : INTERNAL_ERROR, message } }),
    )
  }

  /** Over HTTP the server may be gone, or know the session no more. */
  function failed(error: Error, reject: (error: Error) => void) {
    const needed = signInNeeded(error)
    reject(needed ?? error)
    if (needed || error instanceof OddAnswer) return
    const isRefusal = error instanceof SdkHttpError && error.status !== 404 && Number(error.status) < 500
    if (!isRefusal && error.name !== 'AbortError') void giveUp(`it cannot be reached (${error.message})`)
  }

  function isFlood(): boolean {
    if (heardAt - countedSince >= 1000) [counted, countedSince] = [0, heardAt]
    return ++counted > messagesASecond
  }

  async function giveUp(reason: string) {
    transport.reason ??= reason
    transport.onmessage = undefined
    transport.kill?.()
    await client.close()
  }
}

function rpc(message: Raw): JSONRPCMessage {
  return { jsonrpc: '2.0', ...message } as unknown as JSONRPCMessage
}

/** The gateway is the one that answered, and every answer is marked as complete where that era wants it. */
function withoutIdentity(result: Raw): Raw {
  const { resultType, ...rest } = result
  const kept = resultType === undefined || resultType === 'complete' ? rest : result
  if (!isRecord(kept._meta) || !(SERVER_INFO_META_KEY in kept._meta)) return kept
  const { [SERVER_INFO_META_KEY]: _, ...meta } = kept._meta
  return { ...kept, _meta: meta }
}

function errorIn({ code, message, data }: Raw): Error {
  return new ProtocolError(Number.isSafeInteger(code) ? Number(code) : -32603, String(message ?? 'No answer'), data)
}

/** The id of the call that a text answers; servers write it first or last. */
function idIn(ends: string): string | undefined {
  const found = /"id"\s*:\s*"(parley-\d+)"[^"{[]*("jsonrpc"\s*:\s*"2.0"\s*)?}\s*$/.exec(ends)
  return (found ?? /"id"\s*:\s*"(parley-\d+)"/.exec(ends))?.[1]
}

function ignore() {}
