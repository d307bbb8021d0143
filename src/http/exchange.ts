import type { ServerResponse } from 'node:http'

/** A request and its answer. */
export interface Exchange {
  /** Whether all of the answer was handed to the system before the connection was gone. */
  finished: Promise<boolean>
  /** The same whenever the same token was shown, or the same sign-in. */
  shown: string
  /** What outlasts this exchange, and ends when whoever opened it may not call any more; what comes back ends watching it. */
  outlasting(end: () => void): () => void
}

export function exchangeOf(response: ServerResponse, { shown, outlasting }: Omit<Exchange, 'finished'>): Exchange {
  const { promise: finished, resolve } = Promise.withResolvers<boolean>()
  response.once('finish', () => resolve(true))
  response.once('close', () => resolve(false))
  if (response.closed) resolve(false)
  return { finished, shown, outlasting }
}
