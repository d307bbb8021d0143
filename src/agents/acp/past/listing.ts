import { realpath } from 'node:fs/promises'
import { ignoring } from '../../../io/system-error.ts'
import { LONGEST_SESSION_ID } from '../../../protocol/frames/launching.ts'
import type { KeptSession } from '../../driver.ts'
import type { AgentLink } from '../connection.ts'
import { type Loose, record, records, text } from '../loose.ts'

const MOST = 500
const MOST_PAGES = 20
const LONGEST_TITLE = 200

/** The sessions that an agent keeps of exactly this folder, the newest first; nothing of one that cannot tell. */
export async function sessionsOf(link: Pick<AgentLink, 'request'>, about: Loose, folder: string) {
  const { sessionCapabilities } = record(about.agentCapabilities)
  if (!record(sessionCapabilities).list) return undefined
  const found: KeptSession[] = []
  let cursor: string | undefined
  for (let page = 0; page < MOST_PAGES && found.length < MOST; page++) {
    const told = await link.request('session/list', { cwd: folder, ...(cursor !== undefined && { cursor }) })
    for (const session of records(told.sessions)) if (await isIn(folder, session.cwd)) found.push(...sessionIn(session))
    const next = text(told.nextCursor)
    if (next === undefined || next === cursor) break
    cursor = next
  }
  return found.sort((a, b) => (b.at ?? 0) - (a.at ?? 0)).slice(0, MOST)
}

/** Some list the sessions of every folder, whatever they are asked. */
async function isIn(folder: string, cwd: unknown): Promise<boolean> {
  const place = text(cwd)
  // No path of an agent is in the way of the others.
  if (place === undefined || place.includes('\0')) return false
  return place === folder || (await realpath(place).catch(ignoring())) === folder
}

function sessionIn({ sessionId, title, updatedAt }: Loose): KeptSession[] {
  const id = text(sessionId)
  // Nobody could go on with one whose id is longer.
  if (id === undefined || id.length > LONGEST_SESSION_ID) return []
  const name = text(title)
    ?.replace(/[\s\p{Cc}\p{Bidi_Control}]+/gu, ' ')
    .trim()
    .slice(0, LONGEST_TITLE)
    .toWellFormed()
  const at = Date.parse(text(updatedAt) ?? '')
  return [{ id, ...(name && { title: name }), ...(Number.isFinite(at) && { at }) }]
}
