import { APICallError, InvalidResponseDataError } from '@ai-sdk/provider'
import { MASK, maskedText } from '../../protocol/secrets/masking.ts'
import { isRecord } from '../../protocol/text/record.ts'
import { keyVariable, type ModelPlace } from './model-place.ts'

/** The consequence of a failed call of a model. */
export type Failure =
  /** It can be tried again: after `waitMs` where the service says so, else later with every try. */
  { kind: 'again'; problem: string; waitMs?: number } | { kind: 'too_long' } | { kind: 'over'; problem: string }

const LONGEST = 600

/** The answer ended in the middle. */
export class CutStream extends Error {
  override readonly name = 'CutStream'
}

const CUT = 'The answer of the model was cut off'
/** How the services say that there is more than the model can take in. */
const TOO_LONG =
  /context.?(length|window|size)|prompt is too long|reduce the length|too many (input )?tokens|maximum.{0,20}(tokens|length)/i
const PASSING_MESSAGE = /^((model )?overloaded( error)?|internal server error|service unavailable)$/i
const PASSING = /overloaded|rate_limit|timeout|server_error|api_error|unavailable/

interface Words {
  message: string
  type?: unknown
  code?: unknown
  statusCode?: unknown
  isRetryable?: unknown
}

export function judge(error: unknown, place: ModelPlace, now: () => number): Failure {
  const failure = reasonOf(error, place, now)
  return 'problem' in failure ? { ...failure, problem: withoutKey(failure.problem, place) } : failure
}

/** Services repeat the key that they were given, and an address may hold one. */
function withoutKey(problem: string, { apiKey }: ModelPlace): string {
  // Before it is cut: the beginning of a key is a part of it.
  const { text } = maskedText(apiKey ? problem.replaceAll(apiKey, MASK) : problem)
  return text.length > LONGEST ? `${text.slice(0, LONGEST).toWellFormed()}…` : text
}

function reasonOf(error: unknown, place: ModelPlace, now: () => number): Failure {
  if (APICallError.isInstance(error)) return judgeStatus(error, place, now)
  if (isCut(error)) return { kind: 'again', problem: CUT }
  if (!(error instanceof Error) && isRecord(error) && typeof error.message === 'string')
    return judgeWords({ ...error, message: error.message })
  return { kind: 'over', problem: says(error instanceof Error ? error.message : String(error)) }
}

/** An error that a service reports in the middle of its answer. */
function judgeWords({ message, type, code, statusCode = code, isRetryable }: Words): Failure {
  if (TOO_LONG.test(`${code} ${message}`)) return { kind: 'too_long' }
  const isPassing = PASSING.test(`${type} ${code}`) || PASSING_MESSAGE.test(message) || passes(Number(statusCode))
  return { kind: (isRetryable ?? isPassing) ? 'again' : 'over', problem: says(message) }
}

function passes(status: number): boolean {
  return status === 408 || status === 409 || status === 429 || (status >= 500 && status < 600)
}

function judgeStatus(error: APICallError, { provider, name, baseUrl }: ModelPlace, now: () => number): Failure {
  const { statusCode: status, message, responseBody = '', isRetryable } = error
  if (status === 200) return { kind: 'again', problem: CUT }
  if (status === undefined && isRetryable)
    return { kind: 'again', problem: `${provider} cannot be reached at ${baseUrl} (${oneLine(message)})` }
  if (status === 413 || (status === 400 && TOO_LONG.test(`${message} ${responseBody}`))) return { kind: 'too_long' }
  if (status === 401 || status === 403)
    return { kind: 'over', problem: `${provider} refuses the key: check ${keyVariable(provider)} and run it again` }
  if (status === 404)
    return { kind: 'over', problem: `${provider} has no model "${name}" at ${baseUrl} (${oneLine(message)})` }
  if (isRetryable) return { kind: 'again', problem: says(message), waitMs: retryAfter(error.responseHeaders, now) }
  return { kind: 'over', problem: says(message) }
}

/** Seconds or a date, as HTTP has it; some say milliseconds besides. */
function retryAfter(headers: Record<string, string> = {}, now: () => number): number | undefined {
  const ms = Number(headers['retry-after-ms'] || Number.NaN)
  if (ms >= 0) return ms
  const text = headers['retry-after']
  if (!text) return undefined
  const seconds = Number(text)
  const wait = Number.isNaN(seconds) ? Date.parse(text) - now() : seconds * 1000
  return wait >= 0 ? wait : undefined
}

/** Each library has its own way to say that an answer ended before its end; `fetch` throws a `TypeError`. */
function isCut(error: unknown): boolean {
  return (
    error instanceof CutStream ||
    InvalidResponseDataError.isInstance(error) ||
    (error instanceof TypeError && (error.message === 'terminated' || error.cause !== undefined))
  )
}

function says(message: string): string {
  return `The service of the model says: ${oneLine(message)}`
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
