import type { Hit } from '../../../src/protocol/frames/timeline.ts'
import { folderName } from '../../../src/protocol/look.ts'
import { hasFilters } from '../../../src/protocol/search/search-filters.ts'
import { isWanted } from '../../../src/protocol/search/wanted-conversation.ts'
import { besideOf, hasRoom } from '../beside/room.ts'
import { SHORTCUTS, type Shortcut } from '../frame/keys/shortcuts.ts'
import type { Hub } from '../state/hub/hub.svelte.ts'
import type { Palette } from '../state/page/palette.svelte.ts'
import type { Search } from '../state/page/search.svelte.ts'
import { type Completion, completionsOf } from './completions.ts'

export type Item = { id: string } & (
  | { kind: 'conversation'; conversation: string; title: string }
  | { kind: 'command'; does: Shortcut; says: string; keys?: string }
  | { kind: 'hit'; hit: Hit }
  | { kind: 'tools'; says: string }
  | ({ kind: 'filter' } & Completion)
)

export interface Group {
  name: string
  items: Item[]
  /** None of them has the words, only words one letter away. */
  similar?: boolean
}

/** The number of newest conversations without a query; more are in the list. */
const RECENT = 6

/** The groups of the palette, in the order in which they are seen. */
export function groupsOf(hub: Hub, palette: Palette): Group[] {
  const { words, tools, isFiltered, wanted } = palette
  // Neither of them was written by anyone, is of a kind or of a day.
  const conversations = isFiltered || palette.problem ? [] : [conversationsIn(hub, palette)]
  const commands = isFiltered || palette.problem || hasFilters(wanted) ? [] : [commandsIn(hub, palette.query)]
  const said = { name: 'Messages', items: words.hits.map(itemOf), similar: words.similar }
  const done = { name: 'Tools', items: tools.hits.length > 0 ? toolsIn(palette) : [], similar: tools.similar }
  const filled = [...conversations, ...commands, said, done].filter(({ items }) => items.length > 0)
  const filters = filtersIn(hub, palette)
  return [...(filters.items.length > 0 ? [filters] : []), ...nearest(filled, palette)]
}

/** Similar words are a guess at a typo, which is none as soon as anything has the word itself. */
function nearest(groups: Group[], { words, tools }: Palette): Group[] {
  const exact = groups.filter(({ similar }) => !similar)
  const isDecided = (!words.busy && !tools.busy) || words.answered === tools.answered
  if (exact.length > 0 || !isDecided) return exact
  return groups.map((group) => ({ ...group, name: `${group.name} with similar words` }))
}

/** The search on screen that has older hits to bring. */
export function olderIn({ words, tools, toolsOpen }: Palette, groups: Group[]): Search | undefined {
  const isSimilar = groups.some(({ similar }) => similar)
  const shown = toolsOpen ? [words, tools] : [words]
  return shown.find(({ hasMore, similar }) => hasMore && (!similar || isSimilar))
}

/** What can be written next of a filter. */
function filtersIn({ roster }: Hub, { query, agents }: Palette): Group {
  const folders = roster.list.flatMap(({ state: { folder } }) => (folder === undefined ? [] : folderName(folder)))
  const items = completionsOf(query, { agents, folders: [...new Set(folders)] }).map((completion): Item => {
    return { id: `filter-${encodeURIComponent(completion.says)}`, kind: 'filter', ...completion }
  })
  return { name: 'Filters', items }
}

function conversationsIn({ roster }: Hub, { wanted, titled, titledSimilar }: Palette): Group {
  const isNarrowed = hasFilters(wanted)
  const known = roster.sections
    .flatMap(({ conversations }) => conversations)
    .map(({ id, state: { title, agent, folder, last_at: at, open } }) => ({
      id,
      title,
      agent,
      folder,
      at,
      open: open.length,
    }))
  const called = known.filter((one) => isWanted(one, wanted))
  // What the hub knows by title may be anywhere.
  const more = isNarrowed || wanted.words.trim() === '' ? [] : titled
  const similar = titledSimilar && called.length === 0
  const others = titledSimilar && !similar ? [] : more
  const all = new Map([...called.slice(0, RECENT), ...others].map((one) => [one.id, one]))
  const items = [...all.values()].map(({ id, title }): Item => {
    return { id: `conversation-${encodeURIComponent(id)}`, kind: 'conversation', conversation: id, title }
  })
  return { name: 'Conversations', items, similar }
}

function commandsIn(hub: Hub, query: string): Group {
  const items = SHORTCUTS.flatMap(({ does, says, letter, chord }): Item[] => {
    if (does === 'search' || !canRun(does, hub) || !holds(says, query)) return []
    return [{ id: `command-${does}`, kind: 'command', does, says, keys: chord ?? letter }]
  })
  return { name: 'Commands', items }
}

function toolsIn({ tools, toolsOpen }: Palette): Item[] {
  const count = `${tools.hits.length}${tools.hasMore ? ' or more' : ''}`
  const says = toolsOpen ? 'Hide what agents did' : `Show what agents did (${count})`
  return [{ id: 'tools', kind: 'tools', says }, ...(toolsOpen ? tools.hits.map(itemOf) : [])]
}

function itemOf(hit: Hit): Item {
  return { id: `hit-${hit.id}`, kind: 'hit', hit }
}

function canRun(does: Shortcut, { roster, shown }: Hub): boolean {
  switch (does) {
    case 'needy':
      return roster.needsYou.length > 0
    case 'next':
    case 'previous':
      return roster.list.length > 1
    case 'beside':
      return shown !== undefined && besideOf(roster, shown.id) !== undefined && hasRoom()
    case 'stop':
      return shown?.canBeStopped === true
    case 'write':
    case 'rename':
    case 'export':
      return shown !== undefined
    default:
      return true
  }
}

/** Every word, as part of a word too. */
function holds(text: string, query: string): boolean {
  const folded = text.toLowerCase()
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => folded.includes(word))
}

/** The pieces of a line, those that match marked. */
export function piecesOf({ text, ranges }: Hit['snippet']): { text: string; matches: boolean }[] {
  const pieces: { text: string; matches: boolean }[] = []
  let from = 0
  for (const [start, end] of ranges) {
    pieces.push({ text: text.slice(from, start), matches: false }, { text: text.slice(start, end), matches: true })
    from = end
  }
  pieces.push({ text: text.slice(from), matches: false })
  return pieces.filter((piece) => piece.text !== '')
}
