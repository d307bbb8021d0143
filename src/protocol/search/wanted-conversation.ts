import { agentNames } from '../entries/agent-name.ts'
import type { SearchWanted } from './search-filters.ts'

interface Known {
  id: string
  title: string
  agent?: string
  folder?: string
  /** The time of its last entry. */
  at: number
  /** How many questions are open. */
  open: number
}

/** Whether a conversation is one of those that are wanted, by its filters and by words in its title or name. */
export function isWanted({ id, title, agent, folder, at, open }: Known, wanted: SearchWanted): boolean {
  const { agents, folders, since = -Infinity, until = Infinity, waiting, words } = wanted
  if (agents.length > 0 && !agents.some((pattern) => agent !== undefined && fitsAgent(pattern, agent))) return false
  if (folders.length > 0 && !folders.some((pattern) => folder !== undefined && fitsFolder(pattern, folder)))
    return false
  return at >= since && at < until && (!waiting || open > 0) && holdsWords(`${title}\n${id}`, words)
}

/** By any name that people know it by. */
export function fitsAgent(pattern: string, by: string): boolean {
  return fitting(pattern, agentNames(by))
}

/** By its own name or some of its path. */
export function fitsFolder(pattern: string, folder: string): boolean {
  return fitting(pattern, [folder, folder.split(/[/\\]/).findLast((part) => part !== '') ?? folder])
}

/** The beginning of a word is enough, unless a `*` says where more may be. */
function fitting(pattern: string, names: string[]): boolean {
  const [first = '', ...others] = pattern.toLowerCase().split('*')
  const fits = others.length === 0 ? hasWordWith : (name: string) => hasInOrder(name, first, others)
  return names.some((name) => fits(name.toLowerCase(), first))
}

const LETTER = /[\p{L}\p{N}]/u

function hasWordWith(name: string, beginning: string): boolean {
  for (let at = name.indexOf(beginning); at >= 0; at = name.indexOf(beginning, at + 1))
    if (at === 0 || !LETTER.test(name[at - 1] ?? '') || !LETTER.test(beginning[0] ?? '')) return true
  return false
}

/** Never goes back, so that no pattern takes long. */
function hasInOrder(name: string, first: string, others: string[]): boolean {
  const last = others.at(-1) ?? ''
  if (!name.startsWith(first)) return false
  let at = first.length
  for (const part of others.slice(0, -1)) {
    const found = name.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return name.length - last.length >= at && name.endsWith(last)
}

function holdsWords(text: string, words: string): boolean {
  const folded = text.toLowerCase()
  const all = words.toLowerCase().replaceAll('"', ' ').split(/\s+/)
  return all.every((word) => folded.includes(word))
}
