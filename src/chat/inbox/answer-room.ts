import { ANSWER_BYTES, type InboxMessage } from '../../protocol/frames/inbox.ts'

/** Whether one message more fits into an answer; the first one always does. */
export function roomForOne() {
  let taken = 0
  return (message: InboxMessage): boolean => {
    const bytes = Buffer.byteLength(JSON.stringify(message)) + 1
    if (taken > 0 && taken + bytes > ANSWER_BYTES) return false
    taken += bytes
    return true
  }
}
