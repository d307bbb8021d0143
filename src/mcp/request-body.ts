import { readRequestBody } from '@modelcontextprotocol/server'

/**
 * The JSON that a request holds, read once for everyone who looks at it. Nothing when it is too large, breaks off or is
 * no JSON: the request is left as it came, and the SDK says what is wrong with it.
 */
export async function bodyOf(request: Request, limitBytes: number): Promise<unknown> {
  if (request.method !== 'POST') return undefined
  // Reading fails with the connection of the client, and with nothing else.
  const body = await readRequestBody(request.clone(), limitBytes).catch(() => undefined)
  if (!body || body.tooLarge) return undefined
  try {
    return JSON.parse(body.text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return undefined
  }
}
