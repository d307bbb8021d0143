import type { ServerContext } from '@modelcontextprotocol/server'

/** Tells a caller that gave a progress token, at once and then regularly, that its call is alive. */
export async function withHeartbeat<Result>(
  { mcpReq }: ServerContext,
  everyMs: number,
  work: () => Promise<Result>,
): Promise<Result> {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return work()
  let progress = 0
  const beat = () => {
    const params = { progressToken, progress: progress++, message: 'Waiting for the reply' }
    // A beat that cannot be sent means that the caller is gone; its abort signal says so too.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => clearInterval(timer))
  }
  const timer = setInterval(beat, everyMs)
  beat()
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}
