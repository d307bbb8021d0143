/** How an agent reaches Parley: by a process of its own, or over HTTP. */
export type ServerEntry = StdioEntry | HttpEntry

export interface StdioEntry {
  command: string
  args: string[]
  env: Record<string, string>
}

export interface HttpEntry {
  url: string
  headers?: { Authorization: string }
}

/** The name under which clients know it. */
export const NAME = 'parley'
/** What agents call, of the surfaces that are for them. */
export const AGENT_TOOLS = ['send_message', 'ask_user', 'send_progress', 'set_title', 'check_messages']

/** The one variable that anybody may add to an entry: which conversation it is. */
export const SESSION = 'PARLEY_SESSION'

/** How a token is shown, and one that is not told. */
export const SCHEME = 'Bearer '
export const HIDDEN = `${SCHEME}…`

const OWN_PROGRAM = /[\\/]bin[\\/]parley\.js$/
const OWN_ADDRESS = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]):\d+\/mcp(?:\/[a-z]+)?(?:\?\S*)?$/

/** Whether an entry leads to Parley, whoever wrote it. */
export function isParley(entry: unknown): boolean {
  return textsIn(entry).some((text) => isOwnProgram(text) || OWN_ADDRESS.test(text))
}

/** Whether it is where a hub of this machine may be. */
export function isOwnAddress(text: string): boolean {
  return OWN_ADDRESS.test(text) && URL.canParse(text)
}

export function isOwnProgram(word: unknown): boolean {
  return typeof word === 'string' && OWN_PROGRAM.test(word)
}

export function isToken(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith(SCHEME)
}

/** The token that an entry shows, if it shows one. */
export function tokenIn(entry: unknown): string | undefined {
  return textsIn(entry).find(isToken)
}

/** The entry as it may be told to others. */
export function withoutToken(entry: object): unknown {
  return JSON.parse(JSON.stringify(entry, (_, value) => (isToken(value) ? HIDDEN : value)))
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
