import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { ERRORS, ParleyError } from '../protocol/errors.ts'

export type Refusals = ReturnType<typeof createRefusals>

/** How this door says no: to an MCP call, to a REST call, before there is a call, and to an upgrade. */
export function createRefusals({ report }: { report(error: unknown): void }) {
  return { call, rest, request, upgrade }

  function call(error: Error): Response {
    const { code, message } = known(error)
    const body = { jsonrpc: '2.0', error: { code: ERRORS[code].rpc, message }, id: null }
    return Response.json(body, { status: ERRORS[code].http, headers: headersOf(code) })
  }

  function rest(error: Error): Response {
    const { code, message } = known(error)
    return Response.json({ error: message }, { status: ERRORS[code].http, headers: headersOf(code) })
  }

  function request(response: ServerResponse, error: unknown) {
    const { code, message } = known(error)
    response.writeHead(ERRORS[code].http, { 'content-type': 'application/json', ...headersOf(code) })
    response.end(JSON.stringify({ error: message }))
  }

  function upgrade(stream: Duplex, error: unknown) {
    const { code, message } = known(error)
    const body = JSON.stringify({ error: message })
    const headers = {
      ...headersOf(code),
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    stream.end(`HTTP/1.1 ${ERRORS[code].http} Refused\r\n${lines.join('')}\r\n${body}`)
  }

  function known(error: unknown): ParleyError {
    if (error instanceof ParleyError) return error
    report(error)
    return new ParleyError('internal')
  }
}

function headersOf(code: ParleyError['code']): Record<string, string> {
  return ERRORS[code].http === 401 ? { 'www-authenticate': 'Bearer' } : {}
}
