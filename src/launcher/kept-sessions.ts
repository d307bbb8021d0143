import * as z from 'zod/mini'
import { createQueues } from '../io/queues.ts'
import { GOES_ON } from '../protocol/entries/title.ts'
import { SessionPage } from '../protocol/frames/launching.ts'
import type { CatalogueAgent } from './catalogue.ts'
import { listSessions } from './runner-process.ts'

/** Pages that follow come of the same answer: the agent is not started for each. */
const FRESH_MS = 60_000
const PAGE = 50
const MOST_KEPT = 20

const Answer = z.nullable(SessionPage.shape.sessions)

interface Wanted {
  agent: CatalogueAgent
  folder: string
  /** The last session of the page before. */
  after?: string
}

interface KeptParts {
  data: string
  now(): number
}

/** The sessions that agents keep of folders, as they tell when they are asked. */
export function createKeptSessions({ data, now }: KeptParts) {
  const known = new Map<string, { at: number; sessions: z.infer<typeof Answer> }>()
  const queues = createQueues()
  return { page, titleOf }

  /** As its agent told it last. */
  function titleOf(agent: string, folder: string, session: string): string | undefined {
    return known.get(keyOf(agent, folder))?.sessions?.find(({ id }) => id === session)?.title
  }

  /** `wordsNow` is what starts the agent, or why nobody does, at the moment when it is to be asked. */
  async function page({ agent: { id, name }, folder, after }: Wanted, wordsNow: () => Promise<string[]>) {
    const key = keyOf(id, folder)
    const answer = await queues.add(key, async () => {
      const before = known.get(key)
      if (after !== undefined && before && now() - before.at < FRESH_MS) return before.sessions
      const sessions = withoutOurWords(
        Answer.parse(await listSessions({ agent: name, words: await wordsNow(), folder, data })),
      )
      known.delete(key)
      known.set(key, { at: now(), sessions })
      const [oldest] = known.keys()
      if (oldest !== undefined && known.size > MOST_KEPT) known.delete(oldest)
      return sessions
    })
    const about = { agent: id, folder }
    if (!answer) return { ...about, sessions: [], hint: `${name} has no list of its sessions` }
    const from = after === undefined ? 0 : answer.findIndex((one) => one.id === after) + 1
    const sessions = answer.slice(from, from + PAGE)
    const next = from + PAGE < answer.length ? sessions.at(-1)?.id : undefined
    return { ...about, sessions, ...(next !== undefined && { next }) }
  }
}

/** Some agents call a session by the first words that it got, which are ours where it goes on from a conversation. */
function withoutOurWords(sessions: z.infer<typeof Answer>): z.infer<typeof Answer> {
  if (sessions === null) return null
  return sessions.map(({ title, ...one }) => ({
    ...one,
    ...(title !== undefined && !title.startsWith(GOES_ON) && { title }),
  }))
}

function keyOf(agent: string, folder: string): string {
  return JSON.stringify([agent, folder])
}
