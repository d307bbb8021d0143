import { isSnoozed } from '../../../../src/protocol/frames/marks.ts'
import type { Mark } from '../../../../src/protocol/frames/preferences.ts'
import type { Conversation } from '../conversation/conversation.svelte.ts'

export const GROUPINGS = ['state', 'project', 'agent'] as const
export type Grouping = (typeof GROUPINGS)[number]

export const FILTERS = ['all', 'needy', 'working', 'unread'] as const
export type Filter = (typeof FILTERS)[number]

/** Sections out of the way until somebody looks there, or one asks. */
type Aside = 'snoozed' | 'archived'

/** Why a conversation stands where it stands in the list. */
type SectionKind = 'needy' | 'working' | 'quiet' | 'project' | 'agent' | Aside

export interface Section {
  kind: SectionKind
  /** The project or the agent; nothing where it is not known. */
  of?: string
  conversations: Conversation[]
}

/** How the person wants the list. */
export interface Order {
  grouping: Grouping
  filter: Filter
  /** The shown conversation stays in the list, also once it is read. */
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
export function sectionsOf(conversations: Conversation[], how: Arrangement, held: Section[] = []): Section[] {
  const places = held.filter(({ kind }) => !isAside(kind))
  if (places.length === 0)
    return arranged(
      conversations.filter((conversation) => passes(conversation, how)),
      how,
    )
  const here = new Map(
    conversations
      .filter((conversation) => !asideOf(conversation, how))
      .map((conversation) => [conversation.id, conversation]),
  )
  const still = places.map((section) => ({
    ...section,
    conversations: section.conversations.filter(({ id }) => take(id)),
  }))
  still.at(-1)?.conversations.push(...[...here.values()].filter((conversation) => passes(conversation, how)))
  const aside = how.filter === 'all' ? conversations.filter((conversation) => asideOf(conversation, how)) : []
  return [...still.filter(({ conversations }) => conversations.length > 0), ...arranged(aside, how)]

  /** Whether it is still there, and then it has its place. */
  function take(id: string): boolean {
    return here.delete(id)
  }
}

/** The conversations that wait for the person, the longest wait first. */
export function needyOf(conversations: Conversation[], how: Marks): Conversation[] {
  return conversations
    .filter((conversation) => isNeedy(conversation, how))
    .sort((a, b) => (asked(a) < asked(b) ? -1 : 1))
}

export function isAside(kind: SectionKind): kind is Aside {
  return kind === 'snoozed' || kind === 'archived'
}

/** A name for keys. */
export function nameOf({ kind, of = '' }: Omit<Section, 'conversations'>): string {
  return `${kind}/${of}`
}

function arranged(conversations: Conversation[], how: Arrangement): Section[] {
  const pinned = ({ id }: Conversation) => (how.markOf(id).pinned ? 1 : 0)
  const sections = new Map<string, Section>()
  for (const conversation of conversations.toSorted((a, b) => pinned(b) - pinned(a) || byLastWord(a, b))) {
    const place = placeOf(conversation, how)
    const section = sections.get(nameOf(place)) ?? { ...place, conversations: [] }
    section.conversations.push(conversation)
    sections.set(nameOf(place), section)
  }
  return [...sections.values()]
    .map((section) =>
      section.kind === 'needy' ? { ...section, conversations: needyOf(section.conversations, how) } : section,
    )
    .sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || byName(a, b))
}

function placeOf(conversation: Conversation, how: Arrangement): Omit<Section, 'conversations'> {
  if (isNeedy(conversation, how)) return { kind: 'needy' }
  const aside = asideOf(conversation, how)
  if (aside) return { kind: aside }
  if (how.grouping === 'state') return { kind: isWorking(conversation) ? 'working' : 'quiet' }
  return { kind: how.grouping, of: how.grouping === 'project' ? conversation.state.folder : conversation.state.agent }
}

/** A conversation that asks is never put aside, unless the person wants to be asked later. */
function asideOf(conversation: Conversation, how: Arrangement): Aside | undefined {
  if (isSleeping(conversation, how)) return 'snoozed'
  return conversation.open.length === 0 && how.markOf(conversation.id).archived ? 'archived' : undefined
}

function passes(conversation: Conversation, how: Arrangement): boolean {
  switch (how.filter) {
    case 'all':
      return true
    case 'needy':
      return isNeedy(conversation, how)
    case 'working':
      return !asideOf(conversation, how) && conversation.open.length === 0 && isWorking(conversation)
    case 'unread':
      return !asideOf(conversation, how) && (how.unread(conversation.id) > 0 || conversation.id === how.shown)
  }
}

function isNeedy(conversation: Conversation, how: Marks): boolean {
  return conversation.open.length > 0 && !isSleeping(conversation, how)
}

function isSleeping({ id, open }: Conversation, { now, markOf }: Marks): boolean {
  return isSnoozed(markOf(id), { now, open })
}

/** The last known state counts: a connection that is lost for a moment moves nothing. */
function isWorking({ agent, stopping }: Conversation): boolean {
  return agent !== 'gone' && (agent !== 'idle' || stopping)
}

function byLastWord({ state: a }: Conversation, { state: b }: Conversation): number {
  return a.said === b.said ? (a.last < b.last ? 1 : -1) : a.said < b.said ? 1 : -1
}

/** Unknown ones come last. */
function byName({ of: a }: Section, { of: b }: Section): number {
  return a === undefined ? 1 : b === undefined ? -1 : a.localeCompare(b)
}

/** What it asked first. Ids go up, also within the millisecond in which several ask. */
function asked({ open: [longest] }: Conversation): string {
  return longest?.id ?? ''
}
