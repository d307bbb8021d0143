import { isSnoozed } from '../../../../src/protocol/frames/marks.ts'
import type { Mark } from '../../../../src/protocol/frames/preferences.ts'
import type { Talk } from '../conversation/talk.svelte.ts'

export const GROUPINGS = ['state', 'project', 'agent'] as const
export type Grouping = (typeof GROUPINGS)[number]

export const FILTERS = ['all', 'needy', 'working', 'unread'] as const
export type Filter = (typeof FILTERS)[number]

/** Out of the way until somebody looks there, or it asks. */
export type Aside = 'snoozed' | 'archived'

/** Why a conversation stands where it stands in the list. */
export type SectionKind = 'needy' | 'working' | 'quiet' | 'project' | 'agent' | Aside

export interface Section {
  kind: SectionKind
  /** Of the project or the agent; nothing where it is not known. */
  of?: string
  talks: Talk[]
}

/** How the person wants the list. */
export interface Order {
  grouping: Grouping
  filter: Filter
  /** What they look at stays in the list, also once it is read. */
  shown?: string
}

interface Marks {
  now: number
  markOf(id: string): Mark
}

export interface Arrangement extends Order, Marks {
  unread(id: string): number
}

const KINDS: SectionKind[] = ['needy', 'working', 'quiet', 'project', 'agent', 'snoozed', 'archived']

/**
 * The conversations, each once: who waits for the person, the longest wait first, then who works, then all others, by
 * what was said last and what is pinned before it; or instead of the two the projects or the agents; last what was put
 * aside. As long as the list is held, everything stays in its place, but for what is put aside, and what is new comes last.
 */
export function sectionsOf(talks: Talk[], how: Arrangement, held: Section[] = []): Section[] {
  const places = held.filter(({ kind }) => !isAside(kind))
  if (places.length === 0)
    return arranged(
      talks.filter((talk) => passes(talk, how)),
      how,
    )
  const here = new Map(talks.filter((talk) => !asideOf(talk, how)).map((talk) => [talk.id, talk]))
  const still = places.map((section) => ({ ...section, talks: section.talks.filter(({ id }) => take(id)) }))
  still.at(-1)?.talks.push(...[...here.values()].filter((talk) => passes(talk, how)))
  const aside = how.filter === 'all' ? talks.filter((talk) => asideOf(talk, how)) : []
  return [...still.filter(({ talks }) => talks.length > 0), ...arranged(aside, how)]

  /** Whether it is still there, and then it has its place. */
  function take(id: string): boolean {
    return here.delete(id)
  }
}

/** Who waits for the person, the longest wait first. */
export function needyOf(talks: Talk[], how: Marks): Talk[] {
  return talks.filter((talk) => isNeedy(talk, how)).sort((a, b) => askedAt(a) - askedAt(b))
}

export function isAside(kind: SectionKind): kind is Aside {
  return kind === 'snoozed' || kind === 'archived'
}

/** For keys. */
export function nameOf({ kind, of = '' }: Omit<Section, 'talks'>): string {
  return `${kind}/${of}`
}

function arranged(talks: Talk[], how: Arrangement): Section[] {
  const pinned = ({ id }: Talk) => (how.markOf(id).pinned ? 1 : 0)
  const sections = new Map<string, Section>()
  for (const talk of talks.toSorted((a, b) => pinned(b) - pinned(a) || byLastWord(a, b))) {
    const place = placeOf(talk, how)
    const section = sections.get(nameOf(place)) ?? { ...place, talks: [] }
    section.talks.push(talk)
    sections.set(nameOf(place), section)
  }
  return [...sections.values()]
    .map((section) => (section.kind === 'needy' ? { ...section, talks: needyOf(section.talks, how) } : section))
    .sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || byName(a, b))
}

function placeOf(talk: Talk, how: Arrangement): Omit<Section, 'talks'> {
  if (isNeedy(talk, how)) return { kind: 'needy' }
  const aside = asideOf(talk, how)
  if (aside) return { kind: aside }
  if (how.grouping === 'state') return { kind: isWorking(talk) ? 'working' : 'quiet' }
  return { kind: how.grouping, of: how.grouping === 'project' ? talk.state.folder : talk.state.agent }
}

/** Whoever asks is never put aside, unless the person wants to be asked later. */
function asideOf(talk: Talk, how: Arrangement): Aside | undefined {
  if (isSleeping(talk, how)) return 'snoozed'
  return talk.open.length === 0 && how.markOf(talk.id).archived ? 'archived' : undefined
}

function passes(talk: Talk, how: Arrangement): boolean {
  switch (how.filter) {
    case 'all':
      return true
    case 'needy':
      return isNeedy(talk, how)
    case 'working':
      return !asideOf(talk, how) && talk.open.length === 0 && isWorking(talk)
    case 'unread':
      return !asideOf(talk, how) && (how.unread(talk.id) > 0 || talk.id === how.shown)
  }
}

function isNeedy(talk: Talk, how: Marks): boolean {
  return talk.open.length > 0 && !isSleeping(talk, how)
}

function isSleeping({ id, open }: Talk, { now, markOf }: Marks): boolean {
  return isSnoozed(markOf(id), { now, open })
}

/** By what was known last: a connection that is lost for a moment moves nothing. */
function isWorking({ agent, stopping }: Talk): boolean {
  return agent !== 'gone' && (agent !== 'idle' || stopping)
}

function byLastWord({ state: a }: Talk, { state: b }: Talk): number {
  return a.said === b.said ? (a.last < b.last ? 1 : -1) : a.said < b.said ? 1 : -1
}

/** What is not known comes last. */
function byName({ of: a }: Section, { of: b }: Section): number {
  return a === undefined ? 1 : b === undefined ? -1 : a.localeCompare(b)
}

function askedAt({ open: [longest] }: Talk): number {
  return longest?.at ?? 0
}
