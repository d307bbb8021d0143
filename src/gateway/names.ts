import { hash } from 'node:crypto'
import { percentDecoded } from '../protocol/percent-decoded.ts'

/** 64 is the most that the services of models allow, and clients put `mcp__gateway__` before it. */
const LONGEST = 50
const MARK_LENGTH = 8
const ALLOWED = /^[A-Za-z0-9_-]+$/

export interface Naming {
  /** All that are mounted, also those that are not there now. */
  servers: Iterable<string>
  /** Whether it is the name of something else. */
  taken(name: string): boolean
}

/**
 * The name that clients call a tool or prompt by: `server_tool`. One that they could not pass on, or that could also be
 * read as that of another server, is cut, cleaned and marked, whatever the other servers have: so it never changes.
 */
export function shownName(server: string, own: string, { servers, taken }: Naming): string {
  const plain = `${server}_${own}`
  const fits = plain.length <= LONGEST && ALLOWED.test(plain)
  return fits && !taken(plain) && !readAsOther(plain, server, servers) ? plain : marked(plain, server)
}

function readAsOther(plain: string, server: string, servers: Iterable<string>): boolean {
  for (const other of servers) if (other.length > server.length && plain.startsWith(`${other}_`)) return true
  return false
}

function marked(plain: string, server: string): string {
  const clean = plain.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, LONGEST - MARK_LENGTH - 1)
  return `${clean}_${hash('sha256', `${server}\n${plain}`).slice(0, MARK_LENGTH)}`
}

const SCHEME = 'gateway://'

/** An address that leads back to its server; a template stays one. */
export function shownUri(server: string, uri: string): string {
  return `${SCHEME}${encodeURIComponent(server)}/${uri}`
}

export function ownUri(shown: string): { server: string; uri: string } | undefined {
  const slash = shown.indexOf('/', SCHEME.length)
  if (!shown.startsWith(SCHEME) || slash === -1) return undefined
  return { server: percentDecoded(shown.slice(SCHEME.length, slash)) ?? '', uri: shown.slice(slash + 1) }
}
