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

const OWN_PROGRAM = /[\\/]bin[\\/]parley\.js$/
const OWN_ADDRESS = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]):\d+\/mcp(?:\/[a-z]+)?$/

/** Whether an entry was written by `parley connect`, as far as can be seen: every other one is somebody's own. */
export function isOwn(entry: unknown): boolean {
  const texts = textsIn(entry)
  return texts.some((text) => isOwnProgram(text) || OWN_ADDRESS.test(text))
}

export function isOwnProgram(word: unknown): boolean {
  return typeof word === 'string' && OWN_PROGRAM.test(word)
}

/** The token that an entry shows, if it shows one. */
export function tokenIn(entry: unknown): string | undefined {
  return textsIn(entry).find((text) => text.startsWith('Bearer '))
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
