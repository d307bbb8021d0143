import type { Clock } from '../../io/clock.ts'
import { createEmitter } from '../../io/emitter.ts'
import { ParleyError } from '../../protocol/errors.ts'
import type { Principal } from '../../protocol/principal.ts'
import { heldIn } from '../conversation/note-names.ts'

/** The driver of a conversation's agent, and until when nobody else can be. */
interface Lease {
  /** The driver's own name, and the principal that it is: together they name nobody else. */
  holder: string
  principal: string
  until: number
  /** The same by the time that passes, which counts: a clock may be set, and a lid closed. */
  ends: number
}

/** For the next hub, which knows no other time than that on the wall; it is never longer than it was. */
type KeptLease = Omit<Lease, 'ends'> & { ms?: number }

interface LeasesParts {
  notes: { get(name: string): Promise<unknown>; put(name: string, value: unknown): Promise<void> }
  clock: Clock
}

export type Leases = ReturnType<typeof createLeases>

const MOST_FREE = 1000

/**
 * A conversation is held by one at a time, for as long as its lease lasts. Kept, so that the next hub knows who it is.
 */
export function createLeases({ notes, clock }: LeasesParts) {
  const held = new Map<string, Lease>()
  /** Conversations that nobody holds, as far as it was asked lately: of the others it is looked up. */
  const free = new Set<string>()
  const alarms = new Map<string, { cancel(): void }>()
  /** Emits when nobody holds a conversation any more: it was released, or the lease is over. */
  const ended = createEmitter<[conversation: string]>()
  return {
    acquire,
    release,
    leaseOf,
    isHeld,
    mustHold,
    onEnd: ended.on,
    look,
    close,
    count: () => held.size + free.size,
  }

  /** Takes or renews the lease for so long, unless another one has it. Answers the lease that counts. */
  async function acquire(
    conversation: string,
    holder: string,
    { id: principal }: Principal,
    ms: number,
  ): Promise<Lease> {
    await load(conversation)
    // Nothing may be awaited from here until it is known, or two could hold it.
    const now = current(conversation)
    if (now && !isBy(now, holder, principal)) return now
    const kept: KeptLease = { holder, principal, until: clock.now() + ms, ms }
    const ours = know(conversation, kept, ms)
    await notes.put(heldIn(conversation), kept)
    return ours
  }

  /** Whether it was held by this one. */
  async function release(conversation: string, holder: string, { id: principal }: Principal): Promise<boolean> {
    await load(conversation)
    const now = current(conversation)
    if (!now || !isBy(now, holder, principal)) return false
    end(conversation)
    await notes.put(heldIn(conversation), null)
    return true
  }

  async function leaseOf(conversation: string): Promise<Lease | undefined> {
    await load(conversation)
    return current(conversation)
  }

  /** Tells at once where it is known: every call of an agent asks. */
  function isHeld(conversation: string): boolean | Promise<boolean> {
    if (isKnown(conversation)) return current(conversation) !== undefined
    return leaseOf(conversation).then((lease) => lease !== undefined)
  }

  /** Only the holder of its lease may drive the agent of a conversation. */
  async function mustHold(conversation: string, holder: string, { id }: Pick<Principal, 'id'>): Promise<void> {
    const now = await leaseOf(conversation)
    if (now && isBy(now, holder, id)) return
    throw now
      ? new ParleyError('held_by_other', { conversation, holder: now.holder })
      : new ParleyError('not_held', { conversation })
  }

  /** The notes about a conversation may be gone with it. */
  async function look(conversation: string) {
    if (held.has(conversation) && !(await notes.get(heldIn(conversation)))) end(conversation)
  }

  async function load(conversation: string) {
    if (isKnown(conversation)) return
    const stored = ((await notes.get(heldIn(conversation))) ?? undefined) as KeptLease | undefined
    // Somebody may have held it meanwhile.
    if (isKnown(conversation)) return
    const left = stored ? Math.min(stored.until - clock.now(), stored.ms ?? Infinity) : 0
    if (stored && left > 0) know(conversation, stored, left)
    else noteFree(conversation)
  }

  function isKnown(conversation: string): boolean {
    return held.has(conversation) || free.has(conversation)
  }

  function current(conversation: string): Lease | undefined {
    const lease = held.get(conversation)
    if (lease && lease.ends <= clock.elapsed()) end(conversation)
    return held.get(conversation)
  }

  function know(conversation: string, { holder, principal, until }: KeptLease, ms: number): Lease {
    const lease = { holder, principal, until, ends: clock.elapsed() + ms }
    noteFree(conversation)
    free.delete(conversation)
    held.set(conversation, lease)
    alarms.set(
      conversation,
      clock.after(ms, () => end(conversation)),
    )
    return lease
  }

  /** Nobody holds it. */
  function noteFree(conversation: string) {
    alarms.get(conversation)?.cancel()
    alarms.delete(conversation)
    held.delete(conversation)
    free.add(conversation)
    const [oldest] = free
    if (free.size > MOST_FREE && oldest !== undefined) free.delete(oldest)
  }

  function end(conversation: string) {
    noteFree(conversation)
    ended.emit(conversation)
  }

  function close() {
    for (const alarm of alarms.values()) alarm.cancel()
    ended.close()
  }
}

function isBy(lease: Lease, holder: string, principal: string): boolean {
  return lease.holder === holder && lease.principal === principal
}
