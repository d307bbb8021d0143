import type { Body } from './entry.ts'

/** It says something in words. */
export function isInboxMessage(body: Body): boolean {
  return body.kind === 'message' || body.kind === 'question' || (body.kind === 'settlement' && body.reply !== undefined)
}
