import type { Hit } from '../../../src/protocol/frames/timeline.ts'
import { besideOf, hasRoom } from '../beside/room.ts'
import { SHORTCUTS, type Shortcut } from '../frame/keys/shortcuts.ts'
import type { Hub } from '../state/hub/hub.svelte.ts'
import type { Palette } from '../state/page/palette.svelte.ts'

export type Item = { id: string } & (
  | { kind: 'conversation'; conversation: string; title: string }
  | { kind: 'command'; does: Shortcut; says: string; keys?: string }
  | { kind: 'hit'; hit: Hit }
  | { kind: 'tools'; says: string }
)

export interface Group {
  name: string
  items: Item[]
}

/** The number of newest conversations without a query; more are in the list. */
const RECENT = 6

/** The groups of the palette, in the order in which they are seen. */
export function groupsOf(hub: Hub, palette: Palette): Group[] {
  const { words, tools, isFiltered } = palette
  // Neither of them was written by anyone, is of a kind or of a day.
  const places = isFiltered ? [] : [conversationsIn(hub, palette), commandsIn(hub, palette.query)]
  const said = { name: 'Messages', items: words.hits.map(itemOf) }
  const done = { name: 'Tools', items: tools.hits.length > 0 ? toolsIn(palette) : [] }
  return [...places, said, done].filter(({ items }) => items.length > 0)
}

function conversationsIn({ roster }: Hub, { query, titled }: Palette): Group {
  const known = roster.sections
    .flatMap(({ conversations }) => conversations)
    .map(({ id, state: { title } }) => ({ id, title }))
  const called = known.filter(({ title }) => holds(title, query))
  const all = new Map([...called.slice(0, RECENT), ...(query.trim() === '' ? [] : titled)].map((one) => [one.id, one]))
  const items = [...all.values()].map(({ id, title }): Item => {
    return { id: `conversation-${encodeURIComponent(id)}`, kind: 'conversation', conversation: id, title }
  })
  return { name: 'Conversations', items }
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
