const TOKEN = 'parley-token.'

/** What a WebSocket client offers: names of dialects, and beside them its token where it can set no header. */
export function offeredIn(header = ''): { dialects: string[]; token?: string } {
  const names = header.split(',').map((name) => name.trim())
  return {
    dialects: names.filter((name) => name !== '' && !name.startsWith(TOKEN)),
    token: names.find((name) => name.startsWith(TOKEN))?.slice(TOKEN.length),
  }
}
