import { SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client'
import { isAnswer, isRefused } from '../client/mcp-client.ts'
import { ParleyError } from '../protocol/errors.ts'

const LOST: readonly string[] = [
  SdkErrorCode.NotConnected,
  SdkErrorCode.RequestTimeout,
  SdkErrorCode.ConnectionClosed,
  SdkErrorCode.SendFailed,
  SdkErrorCode.EraNegotiationFailed,
]

/** Whether an error means that the connection is gone, or that the hub is away for now: another one may do. */
export function isLost(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof ParleyError || isAnswer(error)) return false
  if (error instanceof SdkHttpError) return !isRefused(error)
  if (error instanceof SdkError) return LOST.includes(error.code)
  // `fetch` tells its cause, which has the code of the system; every other `TypeError` is a fault.
  if (error instanceof TypeError) return isLost(error.cause)
  return 'code' in error || error.name === 'AbortError'
}
