import { uptimeMs } from '../io/clock.ts'
import { isCancel, isRequest, type Rpc, resourceUpdated } from './rpc.ts'

/** Something that the client said, as it said it. */
export interface Saying {
  raw: string
  message: Rpc
  since: number
  /** The key of a request: the same whenever it is repeated. */
  key?: string
}

/** The request that an answer of the hub is for, or what the client hears instead of it. */
export type Answered = { key: string; since: number } | { instead: string }

/**
 * What the next hub must hear: the client's handshake and subscriptions, and in order everything that has no answer or
 * could not be said yet.
 */
export function createUnanswered(line: string, now = uptimeMs) {
  let requests = 0
  /** Requests by their ids, and what else could not be said yet, in order. */
  const waiting = new Map<unknown, Saying>()
  /** Clients may use an id again once it was answered. This one is nobody's, and its answer is passed on to nobody. */
  const againId = `${line}:again`
  /** The newest handshake that was not refused, and the newest that was accepted. */
  let initialize: Saying | undefined
  let accepted: Saying | undefined
  let initialized: Saying | undefined
  /** Each as it was made: the same one pinned or for a subscriber with a name is another. */
  const subscriptions = new Map<string, Saying>()
  /** Those of them that were made again, by the ids that they have then. */
  const repeated = new Map<unknown, Saying>()
  return { isInUse, hear, keep, frame, again, answered, calls }

  /** Whether it is a request with the id of one that waits: nobody could tell their answers apart. */
  function isInUse(message: Rpc): boolean {
    return isRequest(message) && waiting.has(message.id)
  }

  function hear(raw: string, message: Rpc): Saying {
    const saying: Saying = { raw, message, since: now() }
    if (isRequest(message)) {
      saying.key = `${line}:${++requests}`
      waiting.set(message.id, saying)
    }
    if (message.method === 'initialize') initialize = saying
    if (message.method === 'notifications/initialized') initialized = saying
    if (isCancel(message)) forget(message.params?.requestId)
    return saying
  }

  /** Keeps it for the next hub. Requests are kept anyway. */
  function keep(saying: Saying) {
    if (saying.key === undefined) waiting.set(saying, saying)
  }

  function frame({ raw, key }: Saying, more = ''): string {
    return key === undefined ? `{"mcp":${raw}}` : `{"key":${JSON.stringify(key)}${more},"mcp":${raw}}`
  }

  /** Everything that a hub must hear after hello. */
  function again(): string[] {
    const handshake = [...new Set([accepted, initialize, initialized])].filter((saying) => saying !== undefined)
    const rest = [...waiting.values()].filter((saying) => !handshake.includes(saying))
    repeated.clear()
    for (const saying of subscriptions.values()) repeated.set(`${againId}:${repeated.size}`, saying)
    const subscribed = [...repeated].map(([id, saying]) => frame(under(id, saying)))
    const frames = [...handshake.map(repeat), ...subscribed, ...rest.map(repeat)]
    for (const [id, { key }] of waiting) if (key === undefined) waiting.delete(id)
    return frames
  }

  function repeat(saying: Saying): string {
    return frame(named(saying), waited(saying))
  }

  /** A handshake that was answered has no id of the client's any more. */
  function named(saying: Saying): Saying {
    return saying.key === undefined || isWaiting(saying) ? saying : under(againId, saying)
  }

  function waited(saying: Saying): string {
    return isWaiting(saying) ? `,"waited_ms":${Math.round(now() - saying.since)}` : ''
  }

  /** Nothing, when nobody waits for this, as for a handshake that was repeated. */
  function answered(answer: Rpc): Answered | undefined {
    const subscription = repeated.get(answer.id)
    repeated.delete(answer.id)
    if (subscription) return subscribedAgain(subscription, answer)
    const saying = forget(answer.id)
    if (saying?.key === undefined) return undefined
    if (answer.error === undefined) note(saying)
    // It would decide the era of its client at the next hub, or take its name away.
    else if (saying === initialize) initialize = accepted
    return { key: saying.key, since: saying.since }
  }

  /** Something may have happened between the two hubs that nobody told. */
  function subscribedAgain({ message }: Saying, { error }: Rpc): Answered | undefined {
    if (error === undefined) return { instead: resourceUpdated(message.params?.uri) }
    subscriptions.delete(kindOf(message))
    return undefined
  }

  function note(saying: Saying) {
    const { method, params } = saying.message
    if (method === 'initialize') accepted = saying
    if (method === 'resources/subscribe') subscriptions.set(kindOf(saying.message), saying)
    if (method !== 'resources/unsubscribe') return
    for (const [kind, { message }] of subscriptions) if (message.params?.uri === params?.uri) subscriptions.delete(kind)
  }

  function forget(id: unknown): Saying | undefined {
    const saying = waiting.get(id)
    waiting.delete(id)
    return saying
  }

  function isWaiting(saying: Saying): boolean {
    return waiting.get(saying.key === undefined ? saying : saying.message.id) === saying
  }

  /** The requests that wait. */
  function calls(): Rpc[] {
    return [...waiting.values()].flatMap(({ key, message }) => (key === undefined ? [] : [message]))
  }
}

/** Of two members of one name the last one counts; what is between them may be too deep to be written anew. */
function under(id: unknown, saying: Saying): Saying {
  return { ...saying, raw: `${saying.raw.trimEnd().slice(0, -1)},"id":${JSON.stringify(id)}}` }
}

function kindOf({ params: { uri, _meta } = {} }: Rpc): string {
  return JSON.stringify([uri, _meta?.['parley/pinned'], _meta?.['parley/subscriber']])
}
