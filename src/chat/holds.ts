import { ParleyError } from '../protocol/errors.ts'
import type { Principal } from '../protocol/principal.ts'
import type { Clock } from './clock.ts'
import { heldIn } from './memo-names.ts'

export type Holds = ReturnType<typeof createHolds>

/** Who drives the agent of a conversation, and until when nobody else can. */
export interface Hold {
  /** What it calls itself, and the principal that it is: both together are nobody else. */
  holder: string
  principal: string
  until: number
}

interface HoldsParts {
  memo: { get(name: string): Promise<unknown>; put(name: string, value: unknown): Promise<void> }
  clock: Clock
}

/** A conversation is held by one at a time, for as long as its lease lasts. Kept, so that the next hub knows who it is. */
export function createHolds({ memo, clock }: HoldsParts) {
  /** Of every conversation that was asked about. */
  const known = new Map<string, Hold | undefined>()
  const alarms = new Map<string, { cancel(): void }>()
  const listeners = new Set<(conversation: string) => void>()
  return { hold, release, holdOf, mustHold, onEnd, look, close }

  /** For so long from now on, unless another one holds it. Answers who does. */
  async function hold(conversation: string, holder: string, { id: principal }: Principal, ms: number): Promise<Hold> {
    await load(conversation)
    // From here to where it is known nothing may be waited for, or two could hold it.
    const now = current(conversation)
    if (now && !isBy(now, holder, principal)) return now
    const held = { holder, principal, until: clock.now() + ms }
    know(conversation, held)
    await memo.put(heldIn(conversation), held)
    return held
  }

  /** Whether it was held by this one. */
  async function release(conversation: string, holder: string, { id: principal }: Principal): Promise<boolean> {
    await load(conversation)
    const now = current(conversation)
    if (!now || !isBy(now, holder, principal)) return false
    end(conversation)
    await memo.put(heldIn(conversation), null)
    return true
  }

  async function holdOf(conversation: string): Promise<Hold | undefined> {
    await load(conversation)
    return current(conversation)
  }

  /** Only who holds a conversation may drive its agent. */
  async function mustHold(conversation: string, holder: string, { id }: Pick<Principal, 'id'>): Promise<void> {
    const now = await holdOf(conversation)
    if (now && isBy(now, holder, id)) return
    throw now
      ? new ParleyError('held_by_other', { conversation, holder: now.holder })
      : new ParleyError('not_held', { conversation })
  }

  /** Calls back when nobody holds a conversation any more: it was released, or the lease is over. */
  function onEnd(listener: (conversation: string) => void) {
    listeners.add(listener)
    return { close: () => listeners.delete(listener) }
  }

  /** What was kept about a conversation may be gone with it. */
  async function look(conversation: string) {
    if (known.get(conversation) && !(await memo.get(heldIn(conversation)))) end(conversation)
  }

  async function load(conversation: string) {
    if (known.has(conversation)) return
    const stored = ((await memo.get(heldIn(conversation))) ?? undefined) as Hold | undefined
    // Somebody may have held it meanwhile.
    if (!known.has(conversation)) know(conversation, stored)
  }

  function current(conversation: string): Hold | undefined {
    const hold = known.get(conversation)
    if (hold && hold.until <= clock.now()) end(conversation)
    return known.get(conversation)
  }

  function know(conversation: string, hold: Hold | undefined) {
    alarms.get(conversation)?.cancel()
    alarms.delete(conversation)
    known.set(conversation, hold)
    if (hold)
      alarms.set(
        conversation,
        clock.alarm(hold.until, () => current(conversation)),
      )
  }

  function end(conversation: string) {
    know(conversation, undefined)
    for (const listener of [...listeners]) listener(conversation)
  }

  function close() {
    for (const alarm of alarms.values()) alarm.cancel()
    listeners.clear()
  }
}

function isBy(hold: Hold, holder: string, principal: string): boolean {
  return hold.holder === holder && hold.principal === principal
}
