import { readRequestBody } from '@modelcontextprotocol/server'
import { jsonIn } from '../../../protocol/text/json.ts'

/**
 * The JSON that a request holds, read once for everyone who looks at it. Nothing when it is too large, breaks off or is
 * no JSON: the request is left as it came, and the SDK says what is wrong with it.
 */
export async function bodyOf(request: Request, limitBytes: number): Promise<unknown> {
  if (request.method !== 'POST') return undefined
  // Reading fails with the connection of the client, and with nothing else.
  const body = await readRequestBody(request.clone(), limitBytes).catch(() => undefined)
  return !body || body.tooLarge ? undefined : jsonIn(body.text)
}
