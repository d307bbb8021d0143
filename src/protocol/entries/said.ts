import type { Body } from './entry.ts'

/** It says something in words. */
export function isInboxMessage(body: Body): boolean {
  switch (body.kind) {
    case 'message':
    case 'revision':
    case 'question':
      return true
    default:
      return body.kind === 'settlement' && body.reply !== undefined
  }
}
