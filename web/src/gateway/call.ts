import * as z from 'zod/mini'
import { keyHeader } from '../state/hub/page-key.ts'

const Told = z.object({ error: z.string() })

/** The hub said no, or is not there to say anything. */
export class Refused extends Error {}

/** Calls a tool of the gateway. */
export async function call(tool: string, input: object): Promise<unknown> {
  return post('/api/mcp/call', { server: 'gateway', tool, arguments: input })
}

export async function post(path: string, wanted: object): Promise<unknown> {
  const body = JSON.stringify(wanted)
  const response = await fetch(path, { method: 'POST', body, headers: [keyHeader()] }).catch((error: unknown) => {
    if (error instanceof TypeError) throw new Refused('Offline')
    throw error
  })
  const answer: unknown = await response.json()
  if (response.ok) return answer
  throw new Refused(Told.safeParse(answer).data?.error ?? response.statusText)
}
