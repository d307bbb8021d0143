import { ParleyError } from './errors.ts'
import { messageOf } from './text/message-of.ts'

/** What a command says that ends before it should, whatever ended it. */
export function lastSentence(error: unknown): string {
  if (error instanceof ParleyError) return error.message
  const [problem = ''] = messageOf(error).split('\n')
  return new ParleyError('fault', { problem }).message
}
