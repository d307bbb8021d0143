import { isMistyped } from '../text/nearest.ts'
import { momentIn } from './moment.ts'

/** The words of a query that are no filters, and what the filters want. */
export interface SearchWanted {
  words: string
  /** Names, of which one is enough, and patterns of them. */
  agents: string[]
  folders: string[]
  /** Milliseconds since 1970; `until` itself is not in it. */
  since?: number
  until?: number
  waiting?: true
  /** What is wrong with it, in one sentence. */
  problem?: string
  /** The last word, where it is a filter without its value so far. */
  unfinished?: string
}

/** What can be written before a colon. */
export const FILTERS: Record<string, { about: string; examples: readonly string[] }> = {
  agent: { about: 'one agent', examples: ['codex'] },
  folder: { about: 'one folder', examples: ['website'] },
  since: { about: 'since a day or a time', examples: ['monday', '2026-11-16', '12h'] },
  before: { about: 'before a day or a time', examples: ['monday', '2026-11-16', '12h'] },
  is: { about: 'conversations in a state', examples: ['waiting'] },
}
const NAMES = Object.keys(FILTERS)
const LONG_NAMES = NAMES.filter((name) => name.length > 2)

const PARTS = /([a-z]+):(?:"([^"]*)"?|(\S*))|"[^"]*"?|\S+/gi

/** Reads a query as it is typed. A filter in quotes is a word like any other. */
export function readQuery(query: string, now = Date.now()): SearchWanted {
  const wanted: SearchWanted = { words: '', agents: [], folders: [] }
  const words: string[] = []
  for (const { 0: part, 1: typed = '', 2: quoted, 3: plain = '', index } of query.matchAll(PARTS)) {
    const [name, value] = [typed.toLowerCase(), (quoted ?? plain).trim()]
    const isKnown = NAMES.includes(name)
    if (isKnown && value !== '') take(wanted, name, value, now)
    else if (isKnown && index + part.length === query.length) wanted.unfinished = name
    else if (isKnown) wanted.problem ??= needsValue(name)
    else {
      const meant = value === '' ? undefined : LONG_NAMES.find((known) => isMistyped(name, known))
      if (meant) wanted.problem ??= `Unknown filter ${name}:; did you mean ${meant}:${value}?`
      else words.push(part)
    }
  }
  return { ...wanted, words: words.join(' ') }
}

export function needsValue(name: string): string {
  return `${name}: needs a value, as in ${name}:${FILTERS[name]?.examples[0]}`
}

/** Whether anything but words is wanted. */
export function hasFilters({ agents, folders, since, until, waiting }: SearchWanted): boolean {
  return agents.length + folders.length > 0 || since !== undefined || until !== undefined || waiting === true
}

function take(wanted: SearchWanted, name: string, value: string, now: number) {
  if (name === 'agent') wanted.agents.push(value)
  else if (name === 'folder') wanted.folders.push(value)
  else if (name === 'is') {
    if (value.toLowerCase() === 'waiting') wanted.waiting = true
    else wanted.problem ??= `Unknown state is:${value}; write is:waiting`
  } else {
    const time = momentIn(value, now)
    if (time === undefined)
      wanted.problem ??= `${name}:${value} is no time; write ${name}:monday, ${name}:2026-11-16 or ${name}:12h`
    else if (name === 'since') wanted.since = time
    else wanted.until = time
  }
}
