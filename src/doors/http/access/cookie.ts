const COOKIE = 'parley'

/** The cookie is kept from scripts and from every request another site makes. */
const FLAGS = 'Path=/; HttpOnly; SameSite=Strict'

export function cookieIn(header = ''): string | undefined {
  const pairs = header.split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(`${COOKIE}=`))?.slice(COOKIE.length + 1) || undefined
}

/** `Secure` only where the browser came by https: over http it would throw the cookie away. */
export function setCookie(secret: string, maxAgeMs: number, secure: boolean): string {
  return `${COOKIE}=${secret}; ${FLAGS}; Max-Age=${maxAgeMs / 1000}${secure ? '; Secure' : ''}`
}

export function clearCookie(): string {
  return `${COOKIE}=; ${FLAGS}; Max-Age=0`
}
