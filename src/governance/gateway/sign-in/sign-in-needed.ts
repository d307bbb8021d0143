import { InsufficientScopeError, SdkHttpError, UnauthorizedError } from '@modelcontextprotocol/client'
import { NeedsSignIn } from './needs-sign-in.ts'

/** What an error means for whoever may sign in, wherever the SDK has put it; nothing where it means something else. */
export function signInNeeded(error: unknown): NeedsSignIn | undefined {
  if (error instanceof NeedsSignIn) return error
  if (error instanceof InsufficientScopeError)
    return new NeedsSignIn({ scope: error.requiredScope, metadata: error.resourceMetadataUrl?.href }, true)
  if (error instanceof UnauthorizedError || isUnauthorized(error)) return new NeedsSignIn()
  return error instanceof Error && error.cause !== undefined ? signInNeeded(error.cause) : undefined
}

function isUnauthorized(error: unknown): boolean {
  return error instanceof SdkHttpError && error.status === 401
}
