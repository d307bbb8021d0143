import type { IncomingMessage } from 'node:http'
import { ParleyError } from '../protocol/errors.ts'

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

export type Guard = (request: IncomingMessage) => void

/** Whether only this machine reaches what listens there. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.has(host) || host === '::1'
}

export function guardOf(host: string): Guard {
  return isLoopback(host) ? loopbackGuard : openGuard
}

/**
 * Refuses requests that a page of another site could have made: a foreign Host is DNS rebinding, a foreign Origin is
 * another page. Programs send no Origin. Ports count, because a page on another port is another program's.
 */
export const loopbackGuard: Guard = ({ headers: { host = '', origin }, socket: { localPort } }) => {
  if (!isOurs(`http://${host}`, localPort)) throw new ParleyError('forbidden_host', { host })
  if (origin !== undefined && !isOurs(origin, localPort)) throw new ParleyError('forbidden_origin', { origin })
}

/**
 * Where others reach the hub nobody knows its names, and proxies may speak https for it. Rebinding gains nothing here:
 * a page of another name has neither a token nor the cookie, and without tokens such a hub does not start.
 */
export const openGuard: Guard = ({ headers: { host = '', origin } }) => {
  if (origin === undefined) return
  const ours = [`http://${host}`, `https://${host}`].map((own) => own.toLowerCase())
  if (host === '' || !ours.includes(origin.toLowerCase())) throw new ParleyError('forbidden_origin', { origin })
}

function isOurs(origin: string, port: number | undefined): boolean {
  const url = URL.parse(origin)
  if (url?.protocol !== 'http:' || url.origin !== origin.toLowerCase()) return false
  return LOOPBACK.has(url.hostname) && Number(url.port || 80) === port
}
