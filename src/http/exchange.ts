import type { ServerResponse } from 'node:http'

/** A request and its answer. */
export interface Exchange {
  /** Whether all of the answer was handed to the system before the connection was gone. */
  finished: Promise<boolean>
}

export function exchangeOf(response: ServerResponse): Exchange {
  const { promise: finished, resolve } = Promise.withResolvers<boolean>()
  response.once('finish', () => resolve(true))
  response.once('close', () => resolve(false))
  if (response.closed) resolve(false)
  return { finished }
}
