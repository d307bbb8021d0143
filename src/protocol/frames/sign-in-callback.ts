/** The path to which a browser returns after signing in to a mounted server. */
export const CALLBACK_PATH = '/oauth/callback'

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/** That of a hub at this address; nothing where it is not the machine of whoever signs in there. */
export function callbackAt(url: string): string | undefined {
  return LOOPBACK.includes(new URL(url).hostname) ? new URL(CALLBACK_PATH, url).href : undefined
}
