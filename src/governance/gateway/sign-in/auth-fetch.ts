import { jsonIn } from '../../../protocol/text/json.ts'
import { hiding } from '../mounts/own-secrets.ts'
import { safeAddress } from './safe-address.ts'

const PATIENCE_MS = 30_000
const MOST_BYTES = 1024 * 1024
const SECRETS = ['code', 'code_verifier', 'refresh_token', 'client_secret']

/**
 * Asks who signs people in to a server: at safe addresses alone, not for ever, and without saying again what was told
 * in secret, because the SDK warns with the answers that it gets.
 */
export function createAuthFetch(server: string) {
  return async (address: string | URL, init: RequestInit = {}): Promise<Response> => {
    const url = safeAddress(address, server)
    const signal = AbortSignal.timeout(PATIENCE_MS)
    const response = await fetch(url, { ...init, redirect: 'manual', signal })
    const { status, headers } = response
    const text = await textOf(response)
    if (response.ok && jsonIn(text) === undefined) throw new Error(`${url.origin} did not answer with JSON`)
    const told = response.ok ? text : hiding(secretsIn(init))(text)
    return new Response(told === '' ? null : told, { status, headers })
  }
}

function secretsIn({ body, headers }: RequestInit): string[] {
  const sent = body instanceof URLSearchParams ? SECRETS.flatMap((name) => body.get(name) ?? []) : []
  const authorization = new Headers(headers).get('authorization')
  return authorization === null ? sent : [...sent, ...authorization.split(' ')]
}

async function textOf({ body }: Response): Promise<string> {
  if (!body) return ''
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of body) {
    pieces.push(piece)
    length += piece.length
    if (length > MOST_BYTES) throw new Error('the answer was too long')
  }
  return Buffer.concat(pieces).toString()
}
