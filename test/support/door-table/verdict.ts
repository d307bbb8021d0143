import { ERRORS, type ErrorCode } from '../../../src/protocol/errors.ts'

/** What became of an act: `yes`, the code of the refusal, or what somebody else said who is no part of the table of errors. */
export type Outcome = string

const PATTERNS = Object.entries(ERRORS)
  .map(([code, { text }]) => ({ code, text, ...patternOf(text) }))
  // A sentence that is all its own says more than one that is made of what others say.
  .sort((one, other) => other.literal - one.literal)
  .filter(({ literal }) => literal > 0)

/** The code whose sentence this is, or has in it. */
export function codeIn(said: string): ErrorCode | undefined {
  const plain = said.replaceAll('\\"', '"').replaceAll('&quot;', '"')
  return PATTERNS.find(({ pattern }) => pattern.test(plain))?.code as ErrorCode | undefined
}

/** The outcome of an HTTP answer; a refusal has the status that the table of errors gives it. */
export function ofAnswer(status: number, body: string): Outcome {
  if (status < 400) return 'yes'
  const code = codeIn(body)
  if (!code) return isOurs(body) ? 'invalid' : `${status}`
  return ERRORS[code].http === status ? code : `${code} with ${status}`
}

/** The outcome of a JSON-RPC answer. */
export function ofRpc(answer: RpcAnswer): Outcome {
  const { error, result } = answer
  if (error) return codeIn(error.message) ?? `rpc ${error.code}`
  if (!result?.isError) return 'yes'
  const [{ text = '' } = {}] = result.content ?? []
  return codeIn(text) ?? (text === '' ? 'failed' : 'invalid')
}

export interface RpcAnswer {
  id?: unknown
  error?: { code: number; message: string }
  result?: { isError?: boolean; content?: { text?: string }[] }
}

function isOurs(body: string): boolean {
  return body.startsWith('{"error":"')
}

function patternOf(text: string) {
  const pieces = text.split(/\{\w+\}/)
  const literal = pieces.join('').replace(/\W/g, '').length
  return { literal, pattern: new RegExp(pieces.map((piece) => RegExp.escape(piece)).join('[^]*?')) }
}
