import { randomUUID } from 'node:crypto'
import type { Clock } from '../../io/clock.ts'
import { createEmitter } from '../../io/emitter.ts'
import type { Journal } from '../../log/journal.ts'
import { BEFORE_ALL } from '../../protocol/entries/entry.ts'
import { systemName } from '../conversation/system-name.ts'

/** The hubs of one journal, as far as one of them knows. */
export interface Roster {
  /** The name of this hub where there may be others. */
  readonly own?: string
  /** Whether what a hub has begun is nobody's any more. */
  isGone(hub: string | undefined): boolean
  /** Called when one is gone, with everything that it had begun. */
  onGone(listener: () => void): { close(): void }
  close(): void
}

interface RosterParts {
  journal: Pick<Journal, 'follow' | 'signal' | 'shared'>
  clock: Pick<Clock, 'elapsed' | 'after'>
  report(error: unknown): void
}

/** The words of hubs to each other: who is there, who wants to know who is, and who leaves. */
type Beat = { hub: string; says: 'here' | 'who' | 'leaving' }

const PLACE = systemName('hubs')
const BEAT_MS = 1000
const GONE_MS = 3000

/** A journal of this hub alone has no others: whatever was begun by another one is nobody's. */
export function openRoster({ journal, clock, report }: RosterParts): Roster {
  if (!journal.shared) return { isGone: () => true, onGone: () => ({ close() {} }), close() {} }
  const own = randomUUID()
  const begun = clock.elapsed()
  const gone = createEmitter()
  /** The others, with what rings when they have said nothing for too long. */
  const others = new Map<string, { cancel(): void }>()
  const left = new Set<string>()
  const following = journal.follow(
    { conversation: PLACE, after: BEFORE_ALL },
    { entries() {}, signal: (_, beat) => hear(beat as Beat), failed: report },
  )
  let beating = clock.after(BEAT_MS, beat)
  // Those who were never heard may have been there before.
  const listened = clock.after(GONE_MS, gone.emit)
  say('who')
  return { own, isGone, onGone: gone.on, close }

  function isGone(hub: string | undefined): boolean {
    if (hub === undefined) return true
    return left.has(hub) || (hub !== own && !others.has(hub) && clock.elapsed() - begun >= GONE_MS)
  }

  function hear({ hub, says }: Beat) {
    if (hub === own) return
    others.get(hub)?.cancel()
    if (says === 'leaving') return drop(hub)
    left.delete(hub)
    others.set(
      hub,
      clock.after(GONE_MS, () => drop(hub)),
    )
    if (says === 'who') say('here')
  }

  function drop(hub: string) {
    others.delete(hub)
    left.add(hub)
    gone.emit()
  }

  function beat() {
    say('here')
    beating = clock.after(BEAT_MS, beat)
  }

  function say(says: Beat['says']) {
    journal.signal(PLACE, { hub: own, says } satisfies Beat)
  }

  /** What it had begun is taken over at once. */
  function close() {
    say('leaving')
    following.close()
    beating.cancel()
    listened.cancel()
    for (const { cancel } of others.values()) cancel()
    gone.close()
  }
}
