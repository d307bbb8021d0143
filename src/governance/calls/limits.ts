import { ParleyError } from '../../protocol/errors.ts'
import { isLocal } from '../../protocol/local.ts'
import { sizeInWords } from '../../protocol/text/size.ts'
import type { CallLimit, CallResult, Ending, PolicyDecision, ToolCallSubject } from '../../protocol/tools/gateway.ts'

/** A call, and the name that clients call its tool by. */
export interface Limited {
  subject: ToolCallSubject
  shown: string
}

/** What a call that runs under a limit is held to. */
export interface Held {
  /** It did not run after all. */
  giveBack(): void
  /** Starts the time of the call: what is returned aborts when that is over. */
  begin(): AbortSignal | undefined
  /** It is over; throws where it brought more than it may. */
  end(ending: Ending): void
}

/** The times when calls of one tool by one agent ran, the oldest first, and for how long they matter. */
interface Ran {
  times: number[]
  ms: number
}

const MANY = 1000

/**
 * Holds calls to the limits of the rules that let them through. Each agent has its own count for each tool; only calls
 * under a limit are counted, and a hub that starts begins at nothing.
 */
export function createLimits(now: () => number = () => performance.now()) {
  const ran = new Map<string, Ran>()
  return { mustFit, take }

  /** Throws where a call is over its limit already. */
  function mustFit(call: Limited, { limit, rule }: PolicyDecision) {
    if (!limit) return
    const { calls, arguments: most } = limit
    const about = { tool: call.shown, rule: rule?.id ?? '' }
    if (most !== undefined) {
      const bytes = bytesOf(call.subject.arguments)
      if (bytes > most) throw new ParleyError('arguments_limited', { ...about, ...inWords(bytes, most) })
    }
    const wait = calls ? waitFor(placeOf(call), calls) : 0
    if (wait > 0)
      throw new ParleyError('calls_limited', {
        ...about,
        most: calls?.most === 1 ? 'once' : `${calls?.most} times`,
        each: calls?.each === 'hour' ? 'an hour' : `a ${calls?.each}`,
        seconds: Math.ceil(wait / 1000),
      })
  }

  /** Takes a place for a call, at once, so that no two have the last one. */
  function take(call: Limited, verdict: PolicyDecision): Held | undefined {
    const { limit, rule } = verdict
    if (!limit) return undefined
    mustFit(call, verdict)
    const giveBack = limit.calls ? count(placeOf(call), limit.calls.ms) : () => {}
    return { giveBack, ...heldTo(limit, { tool: call.shown, rule: rule?.id ?? '' }) }
  }

  function waitFor(place: string, { most, ms }: NonNullable<CallLimit['calls']>): number {
    const { times } = ran.get(place) ?? { times: [] }
    const oldest = times.at(-most)
    return oldest === undefined ? 0 : oldest + ms - now()
  }

  function count(place: string, ms: number): () => void {
    if (ran.size >= MANY) forgetOld()
    const { times, ms: before } = ran.get(place) ?? { times: [], ms }
    const known = { times, ms: Math.max(ms, before) }
    const at = now()
    while (times[0] !== undefined && times[0] + known.ms <= at) times.shift()
    times.push(at)
    ran.set(place, known)
    return () => {
      const n = times.indexOf(at)
      if (n !== -1) times.splice(n, 1)
    }
  }

  function forgetOld() {
    const at = now()
    for (const [place, { times, ms }] of ran) if ((times.at(-1) ?? 0) + ms <= at) ran.delete(place)
  }
}

function heldTo({ result: most, time }: CallLimit, about: { tool: string; rule: string }): Omit<Held, 'giveBack'> {
  let timer: NodeJS.Timeout | undefined
  return { begin, end }

  function begin(): AbortSignal | undefined {
    if (time === undefined) return undefined
    const expiry = new AbortController()
    const seconds = time / 1000
    timer = setTimeout(() => expiry.abort(new ParleyError('time_limited', { ...about, seconds })), time).unref()
    return expiry.signal
  }

  function end(ending: Ending) {
    clearTimeout(timer)
    if (most === undefined || !('result' in ending)) return
    const bytes = bytesOf(ending.result)
    if (bytes > most) throw new ParleyError('result_limited', { ...about, ...inWords(bytes, most) })
  }
}

/** A caller with a token is known by that; everyone else by what cards show. */
function placeOf({ subject: { principal, agent, folder, server, tool } }: Limited): string {
  return JSON.stringify([principal, ...(isLocal(principal) ? [agent, folder] : []), server, tool])
}

function bytesOf(value: CallResult): number {
  return Buffer.byteLength(JSON.stringify(value))
}

/** Both exactly where they would look the same. */
function inWords(bytes: number, most: number): { size: string; limit: string } {
  const [size, limit] = [sizeInWords(bytes), sizeInWords(most)]
  return size === limit ? { size: `${bytes} bytes`, limit: `${most} bytes` } : { size, limit }
}
