import { WEEKDAYS } from '../../../src/protocol/search/moment.ts'
import { FILTERS } from '../../../src/protocol/search/search-filters.ts'
import { agentName } from '../text/agent.ts'

export interface Completion {
  /** The filter, as far as it is written then. */
  says: string
  about: string
  /** The whole query with it. */
  query: string
}

interface KnownNames {
  agents: string[]
  folders: string[]
}

const MOST = 7
/** One letter begins too many words. */
const SHORTEST = 2
const LAST = /(?:^|\s)([a-z]+)(?::(?:"([^"]*)|([^\s"]*)))?$/i

/** What the last word of a query can become, if that is a filter. */
export function completionsOf(query: string, known: KnownNames): Completion[] {
  const [whole, typed, quoted, plain] = LAST.exec(query) ?? []
  if (whole === undefined || typed === undefined) return []
  const before = query.slice(0, query.length - whole.trimStart().length)
  const name = typed.toLowerCase()
  const value = quoted ?? plain
  if (value === undefined) return name.length < SHORTEST ? [] : namesFor(name, before)
  const fits = ([word, about]: [string, string]) =>
    `${word}\n${about}`
      .toLowerCase()
      .split(/[\s-]/)
      .some((part) => part.startsWith(value.toLowerCase())) || word.toLowerCase().startsWith(value.toLowerCase())
  const values = valuesOf(name, known).filter(fits)
  // What is written already is none to be offered.
  if (values.length === 1 && values[0]?.[0].toLowerCase() === value.toLowerCase()) return []
  return values.slice(0, MOST).map(([word, about]) => {
    const says = `${name}:${/\s/.test(word) ? `"${word}"` : word}`
    return { says, about, query: `${before}${says} ` }
  })
}

function namesFor(beginning: string, before: string): Completion[] {
  return Object.entries(FILTERS)
    .filter(([name]) => name.startsWith(beginning))
    .map(([name, { about }]) => ({ says: `${name}:`, about, query: `${before}${name}:` }))
}

function valuesOf(name: string, { agents, folders }: KnownNames): [word: string, about: string][] {
  switch (name) {
    case 'agent':
      return agents.map((by) => [by, agentName(by)])
    case 'folder':
      return folders.map((folder) => [folder, ''])
    case 'since':
    case 'before':
      return [['today', ''], ['yesterday', ''], ...lastDays(), ['7d', '7 days ago'], ['12h', '12 hours ago']]
    case 'is':
      return [['waiting', 'with an open question']]
    default:
      return []
  }
}

/** The days before yesterday, the last one first. */
function lastDays(): [string, string][] {
  const today = new Date().getDay()
  return [2, 3, 4, 5, 6].map((ago) => [WEEKDAYS[(today - ago + 7) % 7] ?? '', `${ago} days ago`])
}
