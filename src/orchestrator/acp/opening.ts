import { RequestError } from '@agentclientprotocol/sdk'
import type { ParleyServer, SessionWanted } from '../driver.ts'
import type { AgentLink } from './connection.ts'
import type { KnownAgent } from './known-agents.ts'
import { type Loose, record, text } from './loose.ts'
import { MARK } from './process.ts'

interface Beginning {
  link: AgentLink
  /** What the agent said of itself. */
  about: Loose
  known: KnownAgent
  wanted: SessionWanted
  /** Whether anything that was said before has come since this was last asked. */
  replayed(): boolean
}

interface Begun {
  id: string
  /** By which it can be had again. */
  resumable?: string
  remembers: boolean
  /** It has told everything that was said in it. */
  repeats?: boolean
  /** Modes, options and the like. */
  told: Loose
}

const LOGIN_NEEDED = -32000

/** The session that the agent had, where it can go on with it, or else a new one. */
export async function beginSession({ link, about, known, wanted, replayed }: Beginning): Promise<Begun> {
  const capabilities = record(about.agentCapabilities)
  const resumes = Boolean(record(capabilities.sessionCapabilities).resume)
  const loads = capabilities.loadSession === true && !known.no_load
  const place = { cwd: wanted.folder, mcpServers: serversFor(wanted.parley, capabilities, known) }
  const had = wanted.resume === undefined || !(resumes || loads) ? undefined : kept(wanted.resume, known)
  if (had !== undefined) {
    // One that is resumed repeats nothing; one that is loaded repeats all, and what repeats nothing was lost.
    replayed()
    const told = await link
      .request(resumes ? 'session/resume' : 'session/load', { sessionId: had, ...place })
      .catch(unlessLoginOrGone)
    const repeats = !resumes && replayed()
    if (told && (resumes || repeats)) return { id: had, resumable: wanted.resume, remembers: true, repeats, told }
    if (told) return { id: had, resumable: wanted.resume, remembers: false, told }
  }
  const told = await link.request('session/new', place)
  const id = text(told.sessionId) ?? ''
  return { id, ...((resumes || loads) && { resumable: keeping(id, known) }), remembers: false, told }
}

/** Whatever else is wrong with an old session, a new one may do. */
function unlessLoginOrGone(error: unknown): undefined {
  if (!(error instanceof RequestError) || error.code === LOGIN_NEEDED) throw error
}

/** Parley in the form that the agent really takes. */
function serversFor({ stdio, http }: ParleyServer, capabilities: Loose, known: KnownAgent): Loose[] {
  if (known.no_mcp) return []
  if (record(capabilities.mcpCapabilities).http === true)
    return [{ type: 'http', name: 'parley', url: http.url, headers: pairs(http.headers) }]
  // What Parley starts is not the agent's, and outlives it.
  return [{ name: 'parley', command: stdio.command, args: stdio.args, env: pairs({ ...stdio.env, [MARK]: '' }) }]
}

function pairs(values: Record<string, string>): Loose[] {
  return Object.entries(values).map(([name, value]) => ({ name, value }))
}

/** With the minute in which it was made, where that matters. */
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
