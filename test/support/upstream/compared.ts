import type { Client } from '@modelcontextprotocol/client'
import { MARK } from '../../../src/io/mark.ts'
import { raw } from './gateway.ts'

type Raw = Record<string, unknown>

/** The mark by which the gateway knows what a server starts; each server has another. */
const OWN_MARK = new RegExp(`(?<="${MARK}": ")[^"]*`)

/** What a server gives, to be held against what it gives through the gateway as the mount `all`. */
export function comparable(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, plain).replaceAll('gateway://all/', ''), withoutChance)
}

/** The name of who answered, and what the 2026 era says of every answer, are the gateway's own. */
function plain(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const { _meta: meta, ttlMs: _ttl, cacheScope: _scope, ...rest } = value as Raw
  const { 'io.modelcontextprotocol/serverInfo': _, ...kept } = (meta ?? {}) as Raw
  return Object.keys(kept).length === 0 ? rest : { ...rest, _meta: kept }
}

/** No two calls give the same times and ids. */
function withoutChance(key: string, value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (value.includes(MARK)) return value.replace(OWN_MARK, '')
  const text = key === 'blob' ? Buffer.from(value, 'base64').toString('latin1') : value
  const plain = text.replace(/"PORT": "\d+"/, 'PORT')
  return plain.replace(/\d+:\d\d:\d\d [AP]M/g, 'TIME').replace(/[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}/g, 'ID')
}

export interface Call {
  name: string
  arguments?: Raw
}

export interface Comparing {
  /** Clients of the server, and of the gateway. */
  direct: Client
  through: Client
}

/** Both answers to the same request, whose name is the mount's there. */
export async function bothAnswers({ direct, through }: Comparing, method: string, call: Call) {
  return Promise.all([answer(direct, method, call), answer(through, method, { ...call, name: `all_${call.name}` })])
}

/** The answer with all its progress, or with its error. */
async function answer(client: Client, method: string, params: Call): Promise<unknown> {
  const progress: unknown[] = []
  const options = params.name.endsWith('long-running-operation')
    ? { onprogress: (step: unknown) => void progress.push(step) }
    : undefined
  const told = raw(client, method, { ...params }, options)
  const result = await told.catch(({ code, message, data }) => ({ code, message, data }))
  // The last of it may come with the answer, and then the SDK's client passes over it.
  return comparable({ result, progress: progress.slice(0, 3) })
}

/** Answers whatever it is asked. */
export function answering(client: Client): Client {
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    if (params.mode === 'url') return { action: 'accept' }
    return { action: 'accept', content: { name: 'Ada', check: true, interpretation: 'snake' } }
  })
  client.setRequestHandler('sampling/createMessage', async ({ params }) => {
    const text = JSON.stringify(params.messages)
    return { role: 'assistant', model: 'test', content: { type: 'text', text } }
  })
  return client
}
