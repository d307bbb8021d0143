import type { Talk } from './talk.svelte.ts'

/** Why a conversation stands where it stands in the list. */
export type SectionName = 'needy' | 'working' | 'quiet'

export interface Section {
  name: SectionName
  talks: Talk[]
}

const NAMES: SectionName[] = ['needy', 'working', 'quiet']

/**
 * The conversations, each once: who waits for the person, the longest wait first, then who works, then all others, by
 * what was said last. As long as the list is held, everything stays in its place and what is new comes last.
 */
export function sectionsOf(talks: Talk[], held: Section[] = []): Section[] {
  const places = new Map(held.flatMap(({ name, talks }) => talks.map(({ id }) => [id, name])))
  const known = new Map(talks.map((talk) => [talk.id, talk]))
  const fresh = talks.filter(({ id }) => !places.has(id))
  if (places.size === 0) return NAMES.map((name) => ({ name, talks: ordered(name, fresh) })).filter(hasAny)
  const still = held.map(({ name, talks }) => ({
    name,
    talks: talks.map(({ id }) => known.get(id)).filter((talk) => talk !== undefined),
  }))
  still.at(-1)?.talks.push(...fresh)
  return still.filter(hasAny)
}

function ordered(name: SectionName, talks: Talk[]): Talk[] {
  const own = talks.filter((talk) => sectionOf(talk) === name)
  return name === 'needy' ? own.sort((a, b) => askedAt(a) - askedAt(b)) : own.sort(byLastWord)
}

/** By what was known last: a connection that is lost for a moment moves nothing. */
function sectionOf({ open, agent, stopping }: Talk): SectionName {
  if (open.length > 0) return 'needy'
  return agent === 'gone' || (agent === 'idle' && !stopping) ? 'quiet' : 'working'
}

function byLastWord({ state: a }: Talk, { state: b }: Talk): number {
  return a.said === b.said ? (a.last < b.last ? 1 : -1) : a.said < b.said ? 1 : -1
}

function askedAt({ open: [longest] }: Talk): number {
  return longest?.at ?? 0
}

function hasAny({ talks }: Section): boolean {
  return talks.length > 0
}
