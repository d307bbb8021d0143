import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { ERRORS, type ErrorCode, ParleyError } from '../../protocol/errors.ts'

export type Refusals = ReturnType<typeof createRefusals>

interface RefusalsParts {
  /** Receives every refusal. */
  refused(code: ErrorCode): void
  report(error: unknown): void
}

/** How this door says no: to an MCP call, to a REST call, before there is a call, and to an upgrade. */
export function createRefusals({ refused, report }: RefusalsParts) {
  return { call, rest, request, upgrade }

  function call(error: Error): Response {
    const refusal = known(error)
    const { http: status, rpc } = ERRORS[refusal.code]
    const body = { jsonrpc: '2.0', error: { code: rpc, message: refusal.message }, id: null }
    return Response.json(body, { status, headers: headersOf(refusal) })
  }

  function rest(error: Error): Response {
    const refusal = known(error)
    const { http: status } = ERRORS[refusal.code]
    return Response.json({ error: refusal.message }, { status, headers: headersOf(refusal) })
  }

  function request(response: ServerResponse, error: unknown) {
    const refusal = known(error)
    response.writeHead(ERRORS[refusal.code].http, { 'content-type': 'application/json', ...headersOf(refusal) })
    response.end(JSON.stringify({ error: refusal.message }))
  }

  function upgrade(stream: Duplex, error: unknown) {
    const refusal = known(error)
    const body = JSON.stringify({ error: refusal.message })
    const headers = {
      ...headersOf(refusal),
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    // A client that does not hang up must not keep the hub from closing.
    stream.once('finish', () => stream.destroy())
    stream.end(`HTTP/1.1 ${ERRORS[refusal.code].http} Refused\r\n${lines.join('')}\r\n${body}`)
  }

  function known(error: unknown): ParleyError {
    const refusal = refusalOf(error)
    if (refusal.code === 'internal') report(error)
    refused(refusal.code)
    return refusal
  }
}

function refusalOf(error: unknown): ParleyError {
  if (error instanceof ParleyError) return error
  return isGone(error) ? new ParleyError('cancelled', {}, error) : new ParleyError('internal')
}

/** The sender left before all of its request was here. */
function isGone(error: unknown): boolean {
  return error instanceof Error && error.message === 'aborted' && 'code' in error && error.code === 'ECONNRESET'
}

function headersOf({ code, retryAfterSeconds }: ParleyError): Record<string, string> {
  if (ERRORS[code].http === 401) return { 'www-authenticate': 'Bearer' }
  return retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }
}
