import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import sirv from 'sirv'
import type { ServeFiles } from './listener.ts'
import { OWN_PAGES_ONLY } from './routes/file-headers.ts'

/** Nothing of the page comes from elsewhere, and nothing an agent writes can run: see docs/adr. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  // Only attachments can be framed, and their own policy lets nothing in them run.
  "frame-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types svelte-trusted-html parley-entity parley-worker parley-colours parley-changes',
].join('; ')

export const PAGE_HEADERS = {
  ...OWN_PAGES_ONLY,
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
}

/** The built page. Files with a hash in their name never change; the rest is asked for again each time. */
export function servePage(folder: string): ServeFiles {
  if (!existsSync(folder)) return (_request, _response, missing) => missing()
  const serve = sirv(folder, {
    // Each file is looked at when it is asked for: to look at all of them takes longer than a start may.
    dev: true,
    etag: true,
    gzip: true,
    brotli: true,
    setHeaders(response, path) {
      for (const [name, value] of Object.entries(PAGE_HEADERS)) response.setHeader(name, value)
      const caching = path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'
      response.setHeader('cache-control', caching)
    },
  })
  const paths = pathsIn(folder)
  return (request, response, missing) => {
    const [path = ''] = (request.url ?? '').split('?', 1)
    if (paths.has(path)) serve(request, response, missing)
    else missing()
  }
}

/** Where there is something of the page; for all other requests nothing is looked for. */
function pathsIn(folder: string): Set<string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return new Set(['/', ...names.map((name) => `/${name.replaceAll('\\', '/')}`)])
}

/** The folder beside the bundle; from the sources, the one that was built last. */
export function pageFolder(): string {
  if (!import.meta.url.endsWith('.ts')) return fileURLToPath(new URL('./web', import.meta.url))
  const current = new URL('../../../dist/current', import.meta.url)
  const build = existsSync(current) ? readFileSync(current, 'utf8') : 'none'
  return fileURLToPath(new URL(`../../../dist/builds/${build}/web`, import.meta.url))
}
