/** The SDK goes on without what it could not fetch, but never after a `TypeError`. */
class UnsafeAddress extends TypeError {}

/**
 * An address that a server names for signing in to it. What it says there is a secret, so that it is https; and only a
 * server of this machine leads to others of it, which trust whoever calls from here.
 */
export function safeAddress(address: string | URL, server: string): URL {
  const url = URL.parse(String(address))
  if (!url) throw new UnsafeAddress('an address for signing in is not a valid URL')
  if (isHere(url)) {
    if (['http:', 'https:'].includes(url.protocol) && isHere(new URL(server))) return url
    throw new UnsafeAddress(`${url.origin} is of this machine, and the server is not`)
  }
  if (url.protocol === 'https:') return url
  throw new UnsafeAddress(`${url.protocol}//${url.host} is not an https address`)
}

function isHere({ hostname }: URL): boolean {
  return /^(127(\.\d+){3}|\[::1\]|\[::\]|0\.0\.0\.0|\[::ffff:(7f|0:).*\]|(.+\.)?localhost\.?)$/.test(hostname)
}
