import type { Clock } from '../../io/clock.ts'
import { createEmitter } from '../../io/emitter.ts'
import { Conflict } from '../../log/journal.ts'
import { NO_NOTE, type Note, type Notes } from '../../log/notes.ts'
import { ParleyError } from '../../protocol/errors.ts'
import type { Principal } from '../../protocol/principal.ts'
import { HELD, heldIn, whereHeld } from '../conversation/note-names.ts'

/** The driver of a conversation's agent, and until when nobody else can be. */
interface Lease {
  /** The driver's own name, and the principal that it is: together they name nobody else. */
  holder: string
  principal: string
  until: number
  /** The same by the time that passes, which counts: a clock may be set, and a lid closed. */
  ends: number
  /** Grows with each holder. */
  number: number
}

/** A lease that somebody has, as far as this hub knows. */
export interface Held extends Pick<Lease, 'holder' | 'principal' | 'number'> {
  conversation: string
}

/** For other hubs, which know no other time than that on the wall; it is never longer than it was. */
type KeptLease = Omit<Lease, 'ends' | 'number'> & { ms?: number; number?: number }

interface LeasesParts {
  notes: Pick<Notes, 'get' | 'put' | 'follow'>
  clock: Clock
  report(error: unknown): void
}

export type Leases = ReturnType<typeof createLeases>

const MOST_FREE = 1000

/**
 * A conversation is held by one at a time, for as long as its lease lasts. Kept in a note, which is the truth: of those
 * who would take it at once, at whatever hub, one puts it.
 */
export function createLeases({ notes, clock, report }: LeasesParts) {
  const held = new Map<string, { lease: Lease; revision: number; alarm: { cancel(): void } }>()
  /** Conversations that nobody holds, by the revision that says so: of those not asked about lately it is looked up. */
  const free = new Map<string, number>()
  /** Emits when nobody holds a conversation any more: it was released, or the lease is over. */
  const ended = createEmitter<[conversation: string]>()
  const following = notes.follow(HELD, 'now', {
    note: (note) => learn(whereHeld(note.name), note),
    forgotten: (name) => end(whereHeld(name), NO_NOTE),
    failed: report,
  })
  return {
    acquire,
    release,
    leaseOf,
    isHeld,
    mustHold,
    refusal,
    onEnd: ended.on,
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
    for (;;) {
      const { lease, revision } = await look(conversation)
      if (lease && !isBy(lease, holder, principal)) return lease
      const now = clock.elapsed()
      // The revision that it is put behind is greater than those that older ones were put behind.
      const number = lease?.number ?? revision
      const kept: KeptLease = { holder, principal, until: clock.now() + ms, ms, number }
      if (await put(conversation, kept, revision))
        return { holder, principal, until: kept.until, ends: now + ms, number }
    }
  }

  /** Whether it was held by this one. */
  async function release(conversation: string, holder: string, { id: principal }: Principal): Promise<boolean> {
    for (;;) {
      const { lease, revision } = await look(conversation)
      if (!lease || !isBy(lease, holder, principal)) return false
      if (await put(conversation, null, revision)) return true
    }
  }

  async function leaseOf(conversation: string): Promise<Lease | undefined> {
    return isKnown(conversation) ? current(conversation) : (await look(conversation)).lease
  }

  /** Tells at once where it is known: every call of an agent asks. */
  function isHeld(conversation: string): boolean | Promise<boolean> {
    if (isKnown(conversation)) return current(conversation) !== undefined
    return leaseOf(conversation).then((lease) => lease !== undefined)
  }

  /** Only the holder of its lease may drive the agent of a conversation. */
  async function mustHold(conversation: string, holder: string, { id }: Pick<Principal, 'id'>): Promise<Held> {
    const now = await leaseOf(conversation)
    if (now && isBy(now, holder, id)) return { conversation, holder, principal: id, number: now.number }
    throw refusalBy(conversation, now)
  }

  /** Why nothing more can be written under a lease that had been held, as its note says now. */
  async function refusal({ conversation, number }: Held): Promise<ParleyError> {
    const { lease } = await look(conversation)
    return refusalBy(conversation, lease?.number === number ? undefined : lease)
  }

  /** What the note says now, and the revision that says it. */
  async function look(conversation: string): Promise<{ lease?: Lease; revision: number }> {
    const note = await notes.get(heldIn(conversation))
    learn(conversation, note)
    return { lease: current(conversation), revision: note?.revision ?? NO_NOTE }
  }

  /** Whether it was put: otherwise somebody else was quicker. */
  async function put(conversation: string, kept: KeptLease | null, revision: number): Promise<boolean> {
    try {
      await notes.put(heldIn(conversation), kept, revision)
      return true
    } catch (error) {
      if (error instanceof Conflict) return false
      throw error
    }
  }

  /** A lease that is known already goes on by the time that passes, whatever its note says of the time on the wall. */
  function learn(conversation: string, note: Note | undefined) {
    const revision = note?.revision ?? NO_NOTE
    if (revision <= (held.get(conversation)?.revision ?? free.get(conversation) ?? -1)) return
    const kept = (note?.value ?? undefined) as KeptLease | undefined
    const left = kept ? Math.min(kept.until - clock.now(), kept.ms ?? Infinity) : 0
    if (kept && left > 0) know(conversation, kept, left, revision)
    else end(conversation, revision)
  }

  function isKnown(conversation: string): boolean {
    return held.has(conversation) || free.has(conversation)
  }

  function current(conversation: string): Lease | undefined {
    const known = held.get(conversation)
    if (known && known.lease.ends <= clock.elapsed()) end(conversation, known.revision)
    return held.get(conversation)?.lease
  }

  function know(
    conversation: string,
    { holder, principal, until, number = 0 }: KeptLease,
    ms: number,
    revision: number,
  ) {
    const before = held.get(conversation)?.lease
    if (before && !isBy(before, holder, principal)) end(conversation, revision)
    held.get(conversation)?.alarm.cancel()
    free.delete(conversation)
    const lease = { holder, principal, until, ends: clock.elapsed() + ms, number }
    held.set(conversation, { lease, revision, alarm: clock.after(ms, () => end(conversation, revision)) })
  }

  /** Nobody holds it. */
  function end(conversation: string, revision: number) {
    const before = held.get(conversation)
    before?.alarm.cancel()
    held.delete(conversation)
    free.set(conversation, revision)
    const [oldest] = free.keys()
    if (free.size > MOST_FREE && oldest !== undefined) free.delete(oldest)
    if (before) ended.emit(conversation)
  }

  function close() {
    following.close()
    for (const { alarm } of held.values()) alarm.cancel()
    ended.close()
  }
}

function refusalBy(conversation: string, now: Lease | undefined): ParleyError {
  if (!now) return new ParleyError('not_held', { conversation })
  return new ParleyError('held_by_other', { conversation, holder: now.holder })
}

function isBy(lease: Lease, holder: string, principal: string): boolean {
  return lease.holder === holder && lease.principal === principal
}
