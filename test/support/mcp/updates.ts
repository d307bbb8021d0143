import type { Client } from '@modelcontextprotocol/client'
import * as z from 'zod'
import type { Era } from '../agent.ts'
import type { Message } from './surfaces.ts'

export interface Updated {
  uri: string
  messages?: Message[]
  _meta?: Record<string, unknown>
}

/** Keeps the updates a client is sent until the test asks for them. */
export function updatesOf(client: Client) {
  const updates: Updated[] = []
  let wake = () => {}
  client.setNotificationHandler(
    'notifications/resources/updated',
    { params: z.looseObject({ uri: z.string() }) },
    (params) => {
      updates.push(params as Updated)
      wake()
    },
  )
  return async function next(): Promise<Updated> {
    for (;;) {
      const update = updates.shift()
      if (update) return update
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
}

export async function subscribe(client: Client, uri: string, era: Era) {
  if (era === 'legacy') await client.subscribeResource({ uri })
  else await client.listen({ resourceSubscriptions: [uri] })
}

/** The SDK has no way to put something into the `_meta` of this request; a client's own transport does. */
export async function listen(client: Client, uris: string[], meta: Record<string, unknown>) {
  const { transport } = client
  if (!transport) throw new Error('The client is not connected')
  const { send } = transport
  transport.send = (message, options) => {
    const { params } = message as { params: { _meta: object } }
    const more = { ...params, _meta: { ...params._meta, ...meta } }
    return send.call(transport, { ...message, params: more } as typeof message, options)
  }
  const opened = client.listen({ resourceSubscriptions: uris })
  transport.send = send
  return opened
}
