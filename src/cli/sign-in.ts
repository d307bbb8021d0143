import type { openTokens } from '../http/open-tokens.ts'
import { ParleyError } from '../protocol/errors.ts'

/** How somebody at this terminal becomes a person in a browser; nothing where everybody may connect. */
export async function signInLine(tokens: ReturnType<typeof openTokens>, url: string): Promise<string | undefined> {
  const person = tokens.firstPerson()
  if (person === undefined) return undefined
  try {
    return `Sign in as ${person}, once, within 10 minutes: ${url}/sign-in/${await tokens.link(person)}`
  } catch (error) {
    if (!(error instanceof ParleyError)) throw error
    // The hub is there all the same; why there is no link, somebody at the terminal can read.
    return `There is no link to sign in as ${person}: ${error.message}`
  }
}
