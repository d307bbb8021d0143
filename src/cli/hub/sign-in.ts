import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { openTokens } from '../../doors/http/access/open-tokens.ts'
import { LOCAL } from '../../protocol/local.ts'
import { ifRefused } from '../../protocol/refusal.ts'

/** How somebody at this terminal becomes a person in a browser; nothing where everybody may connect. */
export async function signInLink(
  tokens: ReturnType<typeof openTokens>,
  url: string,
): Promise<{ told: string; link?: string } | undefined> {
  const person = tokens.firstPerson()
  if (person === undefined) return undefined
  const signIn = person === LOCAL ? 'Sign in' : `Sign in as ${person}`
  return tokens.link(person).then(
    (secret) => {
      const link = `${url}/sign-in/${secret}`
      return { told: `${signIn}, once, within 10 minutes: ${link}`, link }
    },
    // The hub is there all the same; why there is no link, somebody at the terminal can read.
    ifRefused(({ message }) => ({ told: `Signing in as ${person} failed: ${message}` })),
  )
}

/** A page of nobody but its owner that leads to a link: other users can see what a browser is started with. */
export function doorTo(link: string, data: string): string {
  const path = join(data, 'open.html')
  const href = link.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  const page = `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${href}">
<title>Parley</title>
<a href="${href}">Sign in</a>
`
  rmSync(path, { force: true })
  writeFileSync(path, page, { flag: 'wx', mode: 0o600 })
  return pathToFileURL(path).href
}
