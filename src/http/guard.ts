import type { IncomingMessage } from 'node:http'
import { ParleyError } from '../protocol/errors.ts'

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Refuses requests that a page of another site could have made: a foreign Host is DNS rebinding, a foreign Origin is
 * another page. Programs send no Origin. Ports count, because a page on another port is another program's.
 */
export function guard({ headers }: IncomingMessage, port: number) {
  const { host = '', origin } = headers
  if (!isOurs(`http://${host}`, port)) throw new ParleyError('forbidden_host', { host })
  if (origin !== undefined && !isOurs(origin, port)) throw new ParleyError('forbidden_origin', { origin })
}

function isOurs(origin: string, port: number): boolean {
  const url = URL.parse(origin)
  if (url?.protocol !== 'http:' || url.origin !== origin.toLowerCase()) return false
  return LOOPBACK.has(url.hostname) && Number(url.port || 80) === port
}
