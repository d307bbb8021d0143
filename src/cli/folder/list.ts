import { listedConversations } from '../../export/listed-conversations.ts'
import { CONVERSATIONS_PATH, type ListedConversation } from '../../protocol/frames/listed-conversation.ts'
import { noMemory } from '../config.ts'
import { between, fitting } from '../filters.ts'
import type { Typed } from '../program.ts'
import { plain, table } from '../table.ts'
import { listedFor } from './owner-lines.ts'

/** The conversations of a folder, those spoken in last first. */
export async function listConversations({ config: { data }, flags }: Typed) {
  noMemory(data, 'it keeps nothing that could be listed')
  const [agent, folder] = [fitting(flags.agent), fitting(flags.folder)]
  const isInTime = between(flags.since, flags.until, 'parley list --help')
  const isOpen = flags['needs-you'] !== undefined
  const wanted = await listedFor<ListedConversation>(data, {
    path: CONVERSATIONS_PATH,
    inFolder: ({ source }) => listedConversations(source),
    isWanted: (one) => agent(one.agent) && folder(one.folder) && isInTime(one.at) && (!isOpen || one.open > 0),
  })
  if (flags.json !== undefined) for (const one of wanted) console.log(JSON.stringify(one))
  else if (wanted.length === 0) console.error('No matching conversations')
  else console.log(table([COLUMNS, ...wanted.map(rowOf)]))
}

const COLUMNS = ['last', 'name', 'title', 'agent', 'folder', 'open', 'what happened']
const LONGEST_PREVIEW = 60

function rowOf({ session_id, title, agent, folder, at, open, preview }: ListedConversation): string[] {
  const time = new Date(at).toLocaleString('sv')
  const happened = preview.length > LONGEST_PREVIEW ? `${preview.slice(0, LONGEST_PREVIEW - 1)}…` : preview
  const named = title === session_id ? '-' : title
  return [time, session_id, named, agent ?? '-', folder ?? '-', open === 0 ? '-' : String(open), happened].map(plain)
}
