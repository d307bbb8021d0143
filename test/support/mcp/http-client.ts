import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { onTestFinished } from 'vitest'
import type { Era } from '../agent.ts'
import { outputSchemas } from './output-schemas.ts'

interface ClientParts {
  token?: string
  era?: Era
  name?: string
}

/** A real client of a surface of a real hub. One of the 2025 era hears from it when this resolves. */
export async function connectHttp(address: string, { token, era = 'legacy', name = 'test-client' }: ClientParts = {}) {
  const mode = era === 'modern' ? 'auto' : 'legacy'
  const client = new Client(
    { name, version: '1' },
    { versionNegotiation: { mode }, jsonSchemaValidator: outputSchemas },
  )
  const requestInit = token === undefined ? undefined : { headers: { authorization: `Bearer ${token}` } }
  const listening = Promise.withResolvers<void>()
  await client.connect(new StreamableHTTPClientTransport(new URL(address), { requestInit, fetch: watched }))
  onTestFinished(() => client.close())
  if (era === 'legacy') await listening.promise
  return client

  async function watched(url: string | URL, init?: RequestInit) {
    const response = await fetch(url, init)
    if (init?.method === 'GET') listening.resolve()
    return response
  }
}
