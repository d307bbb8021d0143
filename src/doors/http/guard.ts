import type { IncomingMessage } from 'node:http'
import { ParleyError } from '../../protocol/errors.ts'
import { CALLBACK_PATH } from '../../protocol/frames/sign-in-callback.ts'
import { type OtherOrigins, otherOrigins } from './other-origins.ts'

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

type Guard = (request: IncomingMessage) => void

/** Whether only this machine reaches what listens there. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.has(host) || host === '::1'
}

/**
 * Refuses requests that a page of another site could have made: a foreign Host is DNS rebinding, a foreign Origin is
 * another page, unless somebody allowed it by name. Programs send no Origin.
 */
export function guardOf(host: string, { mayCome }: Pick<OtherOrigins, 'mayCome'> = otherOrigins()): Guard {
  const isOwn = isLoopback(host) ? isOwnOnLoopback : isOwnInTheOpen
  return (request) => {
    if (isLoopback(host)) refuseForeignHost(request)
    const { origin } = request.headers
    if (origin === undefined || isOwn(origin, request)) return
    if (!mayCome(request)) throw new ParleyError('forbidden_origin', { origin })
    // Browsers send it to every port of a host: it says who uses the browser, and nothing of who wrote that page.
    delete request.headers.cookie
  }
}

/** What a page of another site may lead to, besides the hub's own page. */
const LINKED = new RegExp(`^(?:/sign-in/[^/]+|${CALLBACK_PATH})$`)

/**
 * Refuses what a page of another site asks for without saying which one it is: an image, a script or a frame there
 * would tell by its size or its failure what this hub has. Programs and older browsers do not say where they ask from.
 */
export function refuseElsewhere({ headers, method, url = '' }: IncomingMessage) {
  const site = headers['sec-fetch-site']
  // Requests with an origin were decided on already.
  if ((site !== 'cross-site' && site !== 'same-site') || headers.origin !== undefined) return
  const isLink = method === 'GET' && headers['sec-fetch-dest'] === 'document'
  if (!isLink || !LINKED.test(URL.parse(url, 'http://localhost')?.pathname ?? ''))
    throw new ParleyError('forbidden_origin', { origin: 'another site' })
}

function refuseForeignHost({ headers: { host = '' }, socket: { localPort } }: IncomingMessage) {
  if (!isOurs(`http://${host}`, localPort)) throw new ParleyError('forbidden_host', { host })
}

/** Ports count, because a page on another port is another program's. */
function isOwnOnLoopback(origin: string, { socket: { localPort } }: IncomingMessage): boolean {
  return isOurs(origin, localPort)
}

/**
 * A hub that others reach does not know its names, and proxies may speak https for it. Rebinding gains nothing here: a
 * page of another name has neither a token nor the cookie, and without tokens such a hub does not start.
 */
function isOwnInTheOpen(origin: string, { headers: { host = '' } }: IncomingMessage): boolean {
  const ours = [`http://${host}`, `https://${host}`].map((own) => own.toLowerCase())
  return host !== '' && ours.includes(origin.toLowerCase())
}

function isOurs(origin: string, port: number | undefined): boolean {
  const url = URL.parse(origin)
  if (url?.protocol !== 'http:' || url.origin !== origin.toLowerCase()) return false
  return LOOPBACK.has(url.hostname) && Number(url.port || 80) === port
}
