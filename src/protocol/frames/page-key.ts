/*
 * The secret that signing in leaves in the origin of the page: browsers send the cookie to every port of a host, and
 * this to nobody. The page shows both.
 */

export const PAGE_KEY_HEADER = 'x-parley-key'
/** The prefix of the key where a page can set no header: it is offered beside the dialect of a WebSocket. */
export const PAGE_KEY_OFFER = 'parley-key.'
/** The key's parameter in the addresses of images and downloads, which carry no header either. */
export const FILE_KEY_PARAMETER = 'key'

/** The part that may stand in an address: it reads files and nothing else, and tells nothing of the rest. */
export function fileKeyIn(pageKey: string): string {
  return pageKey.slice(-22)
}
