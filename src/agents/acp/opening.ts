import { RequestError } from '@agentclientprotocol/sdk'
import type { SessionWanted } from '../driver.ts'
import { type AgentLink, LOGIN_NEEDED } from './connection.ts'
import type { KnownAgent } from './known-agents.ts'
import { type Loose, record, text } from './loose.ts'

interface Beginning {
  link: AgentLink
  /** The agent's words about itself. */
  about: Loose
  known: KnownAgent
  wanted: SessionWanted
  /** Earlier messages that came since this was last asked: how many, and how many of them were a person's. */
  replayed(): { said: number; asked: number }
  /** The MCP servers that the agent is given. */
  servers: Loose[]
}

interface Begun {
  id: string
  /** The id by which the session can be had again. */
  resumable?: string
  remembers: boolean
  had?: boolean
  /** How many prompts it has, where that could be seen. */
  prompts?: number
  /** Modes, options and the like. */
  told: Loose
}

const NOT_FOUND = -32002

/** The session that the agent had, where it can go on with it, or else a new one. */
export async function beginSession({ link, about, known, wanted, replayed, servers }: Beginning): Promise<Begun> {
  const { resume, prompts, doubtful, fork, replay, folder } = wanted
  const capabilities = record(about.agentCapabilities)
  const loads = capabilities.loadSession === true && !known.no_load
  const resumes = Boolean(record(capabilities.sessionCapabilities).resume)
  const forks = Boolean(record(capabilities.sessionCapabilities).fork)
  const place = { cwd: folder, mcpServers: servers }
  const had = resume === undefined || !(resumes || loads) ? undefined : kept(resume, known)
  let isUnknown = false as boolean
  if (had !== undefined) {
    // One that is resumed repeats nothing; one that is loaded repeats all, and what repeats nothing was lost.
    const repeats = loads && (replay === true || doubtful === true || prompts === undefined || !resumes)
    replayed()
    const told = await link
      .request(repeats ? 'session/load' : 'session/resume', { sessionId: had, ...place })
      .catch(unlessLoginOrGone)
    const before = replayed()
    const remembers = !repeats || before.said > 0
    const counted = repeats && remembers ? before.asked : undefined
    if (told) return { id: had, resumable: resume, remembers, ...seen(counted, prompts, doubtful), told }
  }
  const branch = fork !== undefined && forks ? kept(fork, known) : undefined
  replayed()
  const forked =
    branch !== undefined &&
    (await link.request('session/fork', { sessionId: branch, ...place }).catch(unlessLoginOrGone))
  const forkedId = forked ? text(forked.sessionId) : undefined
  // How many prompts it has is looked up when it matters.
  if (forked && forkedId !== undefined) {
    // Not every agent repeats what it forks.
    const isSilent = replay === true && loads && replayed().said === 0
    const loaded =
      isSilent && (await link.request('session/load', { sessionId: forkedId, ...place }).catch(unlessLoginOrGone))
    return {
      id: forkedId,
      ...((resumes || loads) && { resumable: keeping(forkedId, known) }),
      remembers: true,
      told: loaded || forked,
    }
  }
  const told = await link.request('session/new', place)
  const id = text(told.sessionId) ?? ''
  return {
    id,
    ...((resumes || loads) && { resumable: keeping(id, known) }),
    remembers: false,
    prompts: 0,
    // Not every agent keeps a session to which nothing was said.
    ...(isUnknown && { had: false }),
    told,
  }

  /** A new session may do, whatever else is wrong with the old one. */
  function unlessLoginOrGone(error: unknown): undefined {
    if (!(error instanceof RequestError) || error.code === LOGIN_NEEDED) throw error
    isUnknown = error.code === NOT_FOUND
  }
}

/** Whether one more came is told by its place, never by its words: a person may say the same twice. */
function seen(counted: number | undefined, before: number | undefined, doubtful: true | undefined) {
  if (counted === undefined) return {}
  const more = before === undefined ? undefined : counted - before
  const isKnown = doubtful && (more === 0 || more === 1)
  return { prompts: counted, ...(isKnown && { had: more === 1 }) }
}

/** The id with the minute in which it was made, where that matters. */
function keeping(id: string, known: KnownAgent): string {
  return known.minute ? `${id}@${minuteNow()}` : id
}

function kept(id: string, known: KnownAgent): string | undefined {
  if (!known.minute) return id
  const [, session, minute] = /^(.*)@(\d+)$/.exec(id) ?? []
  return Number(minute) === minuteNow() ? undefined : (session ?? id)
}

function minuteNow(): number {
  return Math.floor(Date.now() / 60_000)
}
