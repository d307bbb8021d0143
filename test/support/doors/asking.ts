import type { Who, World } from './world.ts'

/** Whoever waits for an answer of the hub for longer than this leaves. */
const PATIENCE_MS = 100

interface Request {
  who: Who
  method: string
  path: string
  headers?: Record<string, string>
  body?: Uint8Array<ArrayBufferLike>
  /** The patience of who needs the answer, however busy the machine is. */
  patienceMs?: number
}

export interface Asked {
  /** The status; none when nobody waited for it. */
  status?: number
  headers?: Headers
  text: string
}

/** One request, and as much of its answer as comes soon. */
export async function ask(
  world: World,
  { who, method, path, headers = {}, body, patienceMs = PATIENCE_MS }: Request,
): Promise<Asked> {
  world.sends(who, body ?? path)
  const leaving = new AbortController()
  const clock = setTimeout(() => leaving.abort(), patienceMs)
  let text = ''
  try {
    const response = await fetch(world.url + path, {
      method,
      headers: { ...headers, ...world.headersOf(who) },
      body: body as BodyInit | undefined,
      signal: leaving.signal,
      redirect: 'manual',
    })
    if (response.status === 500) world.problems.push(`${method} ${path} was answered with 500`)
    const decoder = new TextDecoder()
    try {
      for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true })
    } catch (error) {
      if (!leaving.signal.aborted) throw error
    }
    world.hears(text, `${method} ${path}`)
    return { status: response.status, headers: response.headers, text }
  } catch (error) {
    if (!leaving.signal.aborted) throw error
    return { text }
  } finally {
    clearTimeout(clock)
  }
}
