import { createHash } from 'node:crypto'
import { join } from 'node:path'

/** The place of what has to be kept of a conversation's folder, beside the state file of its runner. */
export function keptBeside(stateFile: string, conversation: string): string {
  return join(`${stateFile}.changes`, createHash('sha256').update(conversation).digest('hex'))
}
