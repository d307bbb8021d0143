import { setTimeout as pause } from 'node:timers/promises'
import { isRecord } from '../../../protocol/text/record.ts'
import type { PolicyDecision } from '../../../protocol/tools/gateway.ts'
import type { Rule } from '../rule.ts'
import { identitiesOf } from './rule-identity.ts'

interface CountsParts {
  rules(): readonly Rule[]
  report(error: unknown): void
}

/** Small values under their names. */
interface Notes {
  get(name: string): Promise<unknown>
  change(name: string, change: (value: unknown) => unknown): Promise<unknown>
}

/** How often something decided, and when last, in milliseconds since 1970. */
export interface Counted {
  count: number
  last: number
}

export type Counts = ReturnType<typeof createCounts>

const NAME = 'how often rules decided'
// A hub that is killed forgets what came within it.
const KEEP_MS = 5000

/** How often each rule and each standing permission decided. Counted in memory, and kept when nobody waits for it. */
export function createCounts({ rules, report }: CountsParts) {
  const counted = new Map<string, Counted>()
  /** What of it is not kept yet: other hubs count in the same note. */
  let fresh = new Map<string, Counted>()
  let known: readonly Rule[] | undefined
  let identities = new Map<string, string>()
  let changed = () => {}
  return { ruled, granted, of: (name: string): Counted | undefined => counted.get(name), keepIn }

  /** Counts are kept there from now on, and what was kept there before is added. */
  function keepIn(notes: Notes) {
    const closing = new AbortController()
    let keeping: Promise<void> | undefined
    let written: Promise<void> = Promise.resolve()
    const ready = load(notes).catch(report)
    changed = () => {
      keeping ??= keepLater()
    }
    return { close }

    async function keepLater() {
      await pause(KEEP_MS, undefined, { signal: closing.signal, ref: false }).catch(() => {})
      keeping = undefined
      await ready
      written = keep(notes).catch(report)
      await written
    }

    async function close() {
      closing.abort()
      await keeping
      await written
      changed = () => {}
    }
  }

  async function load(notes: Notes) {
    for (const [name, sofar] of storedIn(await notes.get(NAME))) add(counted, name, sofar)
  }

  async function keep(notes: Notes) {
    const mine = fresh
    fresh = new Map()
    try {
      await notes.change(NAME, (value) => {
        const all = new Map(storedIn(value))
        for (const [name, more] of mine) add(all, name, more)
        return kept(all)
      })
    } catch (error) {
      for (const [name, more] of mine) add(fresh, name, more)
      throw error
    }
  }

  function ruled({ rule }: PolicyDecision) {
    if (!rule) return
    if (known !== rules()) learn()
    const identity = identities.get(rule.id)
    if (identity !== undefined) count(identity)
  }

  function granted(since: string) {
    count(grantName(since))
  }

  function learn() {
    const now = rules()
    const names = identitiesOf(now)
    identities = new Map(now.map(({ id }, n) => [id, names[n] as string]))
    known = now
  }

  function count(name: string) {
    const one = { count: 1, last: Date.now() }
    add(counted, name, one)
    add(fresh, name, one)
    changed()
  }

  /** The counts without those of rules that have gone; nobody says which permissions have. */
  function kept(counted: Map<string, Counted>): Record<string, Counted> {
    if (known !== rules()) learn()
    const there = new Set(identities.values())
    const grants = [...counted].filter(([name]) => name.startsWith(GRANT)).sort(([, a], [, b]) => b.last - a.last)
    return Object.fromEntries([...[...counted].filter(([name]) => there.has(name)), ...grants.slice(0, MOST_GRANTS)])
  }
}

function storedIn(value: unknown): [name: string, counted: Counted][] {
  return Object.entries(isRecord(value) ? value : {}) as [string, Counted][]
}

function add(all: Map<string, Counted>, name: string, { count, last }: Counted) {
  const sofar = all.get(name)
  all.set(name, { count: count + (sofar?.count ?? 0), last: Math.max(last, sofar?.last ?? 0) })
}

const GRANT = 'grant '
const MOST_GRANTS = 1000

/** What a permission is counted under that was given by this entry. */
export function grantName(since: string): string {
  return GRANT + since
}
