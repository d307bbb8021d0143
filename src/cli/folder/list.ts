import { listedConversations } from '../../export/listed-conversations.ts'
import { CONVERSATIONS_PATH, type ListedConversation } from '../../protocol/frames/listed-conversation.ts'
import { needsValue, readQuery, type SearchWanted } from '../../protocol/search/search-filters.ts'
import { isWanted } from '../../protocol/search/wanted-conversation.ts'
import { usage } from '../../protocol/usage.ts'
import { noMemory } from '../config.ts'
import { timeIn } from '../filters.ts'
import type { Typed } from '../program.ts'
import { plain, table } from '../table.ts'
import { listedFor } from './owner-lines.ts'

const HELP = 'parley list --help'

/** The conversations of a folder, those spoken in last first. */
export async function listConversations({ config: { data }, flags, words }: Typed) {
  noMemory(data, 'it keeps nothing that could be listed')
  const query = wantedIn(words, flags)
  const wanted = await listedFor<ListedConversation>(data, {
    path: CONVERSATIONS_PATH,
    inFolder: ({ source }) => listedConversations(source),
    isWanted: ({ session_id: id, ...one }) => isWanted({ id, ...one }, query),
  })
  if (flags.json !== undefined) for (const one of wanted) console.log(JSON.stringify(one))
  else if (wanted.length === 0) console.error('No matching conversations')
  else console.log(table([COLUMNS, ...wanted.map(rowOf)]))
}

/** What the words say, and what the options do. */
function wantedIn(words: string[], flags: Typed['flags']): SearchWanted {
  const { problem, unfinished, ...wanted } = readQuery(words.map(quotedAgain).join(' '))
  if (problem) throw usage(problem, { help: HELP })
  if (unfinished) throw usage(needsValue(unfinished), { help: HELP })
  const timeOf = (text: string | undefined) => (text === undefined ? undefined : timeIn(text, HELP))
  return {
    ...wanted,
    agents: [...wanted.agents, ...(flags.agent ? [flags.agent] : [])],
    folders: [...wanted.folders, ...(flags.folder ? [flags.folder] : [])],
    since: timeOf(flags.since) ?? wanted.since,
    until: timeOf(flags.until) ?? wanted.until,
    ...(flags['needs-you'] !== undefined && { waiting: true }),
  }
}

/** A shell has taken the quotes away around a value with blanks. */
function quotedAgain(word: string): string {
  return word.replace(/^([a-z]+):([^"]*\s[^"]*)$/i, '$1:"$2"')
}

const COLUMNS = ['last', 'name', 'title', 'agent', 'folder', 'open', 'what happened']
const LONGEST_PREVIEW = 60

function rowOf({ session_id, title, agent, folder, at, open, preview }: ListedConversation): string[] {
  const time = new Date(at).toLocaleString('sv')
  const happened = preview.length > LONGEST_PREVIEW ? `${preview.slice(0, LONGEST_PREVIEW - 1)}…` : preview
  const named = title === session_id ? '-' : title
  return [time, session_id, named, agent ?? '-', folder ?? '-', open === 0 ? '-' : String(open), happened].map(plain)
}
