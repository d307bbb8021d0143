import { Client, SdkError, SdkErrorCode, type Transport } from '@modelcontextprotocol/client'
import * as z from 'zod/mini'
import { isAnswer, isRefused } from '../client/mcp-client.ts'
import { createBackOff } from '../io/back-off.ts'
import { orUndo } from '../io/or-undo.ts'
import { pauseUntil } from '../io/pause.ts'
import { retrying } from '../io/retrying.ts'
import { oneSession, type SessionLife } from '../io/session/one-session.ts'
import { unlessEnded } from '../io/session/unless-ended.ts'
import { ParleyError } from '../protocol/errors.ts'
import type { DRIVING } from '../protocol/frames/driving.ts'
import { isRefusal } from '../protocol/refusal.ts'
import { VERSION } from '../protocol/version.ts'
import { isLost } from './lost-connection.ts'

const FIRST_WAIT_MS = 50
const LONGEST_WAIT_MS = 5000
const CALL_LIMIT_MS = 30_000
const LISTEN = 'subscriptions/listen'
const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged'
/** How a hub says that the same call is welcome a little later; also one whose disk is full or fails for now. */
const LATER = /try again in (\d+) s|come back in a moment|Parley goes on by itself/

type Driving = typeof DRIVING
export type Input<Tool extends keyof Driving> = z.input<Driving[Tool]['input']>
export type Output<Tool extends keyof Driving> = z.output<Driving[Tool]['output']>

interface HubLinkParts {
  /** A new way to the hub: over HTTP, or over the socket of its folder. */
  connect(): Promise<Transport> | Transport
  /** The name under which people see its posts. */
  name: string
  uris: string[]
  /** The subscriber whose pins these are, where no token says so. */
  subscriber?: string
  /** It is given conversations, and answers in no others. */
  isRunner: boolean
  updated(uri: string, news: unknown): void
  /** People want to know something, maybe of another process. */
  requested(requests: unknown): void
  /** There is a connection again, or another hub at its end: what happened meanwhile nobody told. */
  reconnected(): void
}

export type HubLink = Awaited<ReturnType<typeof openHubLink>>

/** The way to the hub, over one connection after the other. Rejects when there is none at the beginning. */
export async function openHubLink({ connect, name, uris, subscriber, isRunner, ...parts }: HubLinkParts) {
  const { updated, reconnected } = parts
  const closing = new AbortController()
  const backOff = createBackOff(FIRST_WAIT_MS, LONGEST_WAIT_MS)
  const { promise: gaveUp, resolve: giveUp } = Promise.withResolvers<unknown>()
  let wasThere = false
  const sessions = oneSession({
    open: (life) => (wasThere ? again(life) : establish(life)),
    end: (client: Client) => client.close(),
    lost,
  })
  await sessions.use(nothing, isLost)
  return { call, read, close, gaveUp }

  /** The hub is asked again until it answers: what must not happen twice carries a key. */
  async function call(tool: string, input: object): Promise<Record<string, unknown>> {
    for (;;) {
      const result = await asked((client) =>
        client.callTool({ name: tool, arguments: { ...input } }, { timeout: CALL_LIMIT_MS }),
      )
      if (!result.isError) return result.structuredContent as Record<string, unknown>
      const reason = (result.content as { text: string }[])[0]?.text ?? ''
      const later = LATER.exec(reason)
      if (!later) throw new ParleyError('refused_by_hub', { reason })
      await wait(Number(later[1] ?? 1) * 1000)
    }
  }

  async function read(uri: string): Promise<{ mimeType?: string; text?: string; blob?: string } | undefined> {
    const { contents } = await asked((client) => client.readResource({ uri }, { cacheMode: 'bypass' }))
    return contents[0] as { mimeType?: string; text?: string; blob?: string } | undefined
  }

  /** Throws what the hub answered, and faults that no other connection would cure. */
  function asked<Result>(ask: (client: Client) => Promise<Result>): Promise<Result> {
    const once = () => {
      closing.signal.throwIfAborted()
      return sessions.use(ask, isLost).catch(refuse)
    }
    return retrying(once, isForNow)

    function isForNow(error: unknown): boolean {
      closing.signal.throwIfAborted()
      return isLost(error)
    }
  }

  async function establish(life: SessionLife): Promise<Client> {
    const client = new Client({ name, version: VERSION }, { versionNegotiation: { mode: 'auto' } })
    client.setNotificationHandler(
      'notifications/resources/updated',
      { params: z.looseObject({ uri: z.string() }) },
      ({ uri, messages, events, requests }) =>
        requests ? parts.requested(requests) : updated(uri, messages ?? events),
    )
    let isThere = true
    const transport = await connect()
    const begin = async () => {
      await client.connect(transport)
      client.onclose = () => {
        isThere = false
      }
      await follow(client, transport, life)
    }
    // A hub that never answers must not hold up who closes.
    const begun = () => unlessEnded(life.ended, () => transport.close(), begin)
    await orUndo(begun, () => client.close()).catch(refuse)
    if (!isThere || life.ended.aborted) {
      await client.close()
      throw closed()
    }
    client.onclose = () => life.lose(closed())
    backOff.reset()
    if (wasThere) reconnected()
    wasThere = true
    return client
  }

  async function follow(client: Client, transport: Transport, { lose }: SessionLife) {
    const pinned = {
      'parley/pinned': true,
      ...(subscriber && { 'parley/subscriber': subscriber }),
      ...(isRunner && { 'parley/runner': true }),
    }
    if (client.getProtocolEra?.() !== 'modern') {
      for (const uri of uris) await client.subscribeResource({ uri, _meta: pinned })
      return
    }
    const { send } = transport
    // The SDK has no way to say more with this request, and hides that it was acknowledged again, by the next hub.
    transport.send = (message, options) => send.call(transport, withMeta(message, pinned), options)
    const stream = await client.listen({ resourceSubscriptions: uris })
    transport.send = send
    void stream.closed.then(() => lose(closed()))
    const deliver = transport.onmessage
    transport.onmessage = (message, extra) => {
      deliver?.(message, extra)
      if ('method' in message && message.method === ACKNOWLEDGED) reconnected()
    }
  }

  /** The next one is opened at once, so that nothing is missed for long. */
  function lost(error: unknown) {
    if (!wasThere || closing.signal.aborted) return
    if (isLost(error)) return void sessions.use(nothing, isLost).catch(() => {})
    closing.abort(error)
    giveUp(error)
  }

  /** Throws when everything is closed meanwhile. */
  async function wait(ms: number) {
    await pauseUntil(ms, closing.signal)
    closing.signal.throwIfAborted()
  }

  /** Throws errors that are no lost connection: then nothing is tried any more. */
  async function again(life: SessionLife): Promise<Client> {
    const isLater = (error: unknown) => isRefusal(error) && LATER.test(error.message)
    const isForNow = (error: unknown) => !life.ended.aborted && (isLost(error) || isLater(error))
    const rest = () => wait(backOff.nextByChance())
    await rest()
    return retrying(() => establish(life), isForNow, rest)
  }

  async function close() {
    closing.abort(new ParleyError('shutting_down'))
    await sessions.close()
  }
}

async function nothing() {}

function closed(): SdkError {
  return new SdkError(SdkErrorCode.ConnectionClosed, 'The connection was closed')
}

function refuse(error: unknown): never {
  if (!isAnswer(error) && !isRefused(error)) throw error
  throw new ParleyError('refused_by_hub', { reason: (error as Error).message }, error)
}

function withMeta(message: Parameters<Transport['send']>[0], meta: object): Parameters<Transport['send']>[0] {
  if (!('method' in message) || message.method !== LISTEN) return message
  const { params } = message as { params: { _meta?: object } }
  return { ...message, params: { ...params, _meta: { ...params._meta, ...meta } } } as typeof message
}
