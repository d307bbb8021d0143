import { PAGE_KEY_OFFER } from './page-key.ts'

const TOKEN = 'parley-token.'

/** What a WebSocket client offers: names of dialects, and beside them its token or key where it can set no header. */
export function offeredIn(header = ''): { dialects: string[]; token?: string; pageKey?: string } {
  const names = header.split(',').map((name) => name.trim())
  return { dialects: names.filter(isDialect), token: after(TOKEN), pageKey: after(PAGE_KEY_OFFER) }

  function after(start: string): string | undefined {
    return names.find((name) => name.startsWith(start))?.slice(start.length)
  }
}

function isDialect(name: string): boolean {
  return name !== '' && !name.startsWith(TOKEN) && !name.startsWith(PAGE_KEY_OFFER)
}
