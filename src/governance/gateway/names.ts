import { hash } from 'node:crypto'
import { percentDecoded } from '../../protocol/text/percent-decoded.ts'

/** 64 is the most that the services of models allow, and clients put `mcp__gateway__` before it. */
const LONGEST = 50
// Shorter ones a server could find by trying, for a tool that is called as another server's.
const MARK_LENGTH = 12
const MARKED = new RegExp(`_[0-9a-f]{${MARK_LENGTH}}$`)
const ALLOWED = /^[A-Za-z0-9-]+_[A-Za-z0-9_-]+$/

/**
 * The name that clients call a tool or prompt by: `server_tool`, where the server ends at the first underscore. One
 * that they could not pass on, whose server has an underscore of its own, or that looks like a mark is cut, cleaned and
 * marked. So a name is always that of the same tool, whatever is mounted beside it or later. `taken`: whether it is the
 * name of something else.
 */
export function shownName(server: string, own: string, taken: (name: string) => boolean): string {
  const plain = `${server}_${own}`
  const isPlain = plain.length <= LONGEST && !server.includes('_') && ALLOWED.test(plain) && !MARKED.test(plain)
  return isPlain && !taken(plain) ? plain : marked(plain, server)
}

/** The owner of a name, as far as the name alone tells: one that is marked leads nowhere. */
export function plainOwner(shown: string, servers: Iterable<string>): { server: string; tool: string } | undefined {
  const end = shown.indexOf('_')
  const server = shown.slice(0, end)
  return end > 0 && !MARKED.test(shown) && [...servers].includes(server)
    ? { server, tool: shown.slice(end + 1) }
    : undefined
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
