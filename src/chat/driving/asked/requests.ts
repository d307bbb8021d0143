import { randomUUID } from 'node:crypto'
import type { Clock } from '../../../io/clock.ts'
import { ParleyError } from '../../../protocol/errors.ts'
import type { DrivingAnswer, DrivingRequest } from '../../../protocol/frames/asked/driving-request.ts'
import type { Principal } from '../../../protocol/principal.ts'

export type Requests = ReturnType<typeof createRequests>

/** The process that is asked, as the principal that it is: nobody else hears of it, or can answer it. */
export interface Asked {
  holder: string
  principal: string
}

type Wanted = DrivingRequest extends infer One ? (One extends unknown ? Omit<One, 'id' | 'holder'> : never) : never

/** Looking through a large folder takes a while. */
const PATIENCE_MS = 30_000

/**
 * What people want to know of a process that drives agents. Never stored: one that is not there, or says nothing in time,
 * has no answer.
 */
export function createRequests(clock: Clock) {
  const open = new Map<string, { asked: Asked; answered(answer?: DrivingAnswer): void }>()
  /** The same question twice at a time is asked once. */
  const running = new Map<string, Promise<DrivingAnswer | undefined>>()
  const listening = new Set<{ principal: string; tell(request: DrivingRequest): void }>()
  return { ask, answer, onRequest, close }

  /** Called with what is asked of processes that are this principal. */
  function onRequest({ id: principal }: Pick<Principal, 'id'>, tell: (request: DrivingRequest) => void) {
    const listener = { principal, tell }
    listening.add(listener)
    return { close: () => listening.delete(listener) }
  }

  async function ask(asked: Asked, wanted: Wanted, patienceMs = PATIENCE_MS): Promise<DrivingAnswer | undefined> {
    const key = JSON.stringify([asked, wanted])
    const known = running.get(key)
    if (known) return known
    const fresh = askAnew(asked, wanted, patienceMs).finally(() => running.delete(key))
    running.set(key, fresh)
    return fresh
  }

  async function askAnew(
    { holder, principal }: Asked,
    wanted: Wanted,
    patienceMs: number,
  ): Promise<DrivingAnswer | undefined> {
    const id = randomUUID()
    const listeners = [...listening].filter((one) => one.principal === principal)
    if (listeners.length === 0) return undefined
    const { promise, resolve } = Promise.withResolvers<DrivingAnswer | undefined>()
    open.set(id, { asked: { holder, principal }, answered: resolve })
    const alarm = clock.alarm(clock.now() + patienceMs, () => resolve(undefined))
    for (const { tell } of listeners) tell({ id, holder, ...wanted })
    return promise.finally(() => {
      alarm.cancel()
      open.delete(id)
    })
  }

  function answer(id: string, holder: string, principal: Pick<Principal, 'id'>, given: DrivingAnswer) {
    const waiting = open.get(id)
    if (waiting?.asked.holder !== holder || waiting.asked.principal !== principal.id)
      throw new ParleyError('unknown_request', { request: id })
    waiting.answered(given)
  }

  function close() {
    for (const { answered } of open.values()) answered()
  }
}
