import type { OpenQuestion } from '../../../src/protocol/fold.ts'
import type { AgentState } from '../../../src/protocol/timeline.ts'

/** What the composer says will happen to what is typed. */
export interface Promised {
  hint: string
  text: string
  /** Sending denies the call. */
  denies: boolean
}

export function promiseOf(question: OpenQuestion | undefined, agent: AgentState): Promised {
  const gone = agent === 'gone'
  if (!question) {
    const text = gone ? 'The agent is not listening. Your message is kept for it.' : 'For the agent’s next turn'
    return { hint: 'Message…', text, denies: false }
  }
  const { hint, text } = question.approval ? DENIAL : question.options ? CHOICE : REPLY
  const kept = 'The agent is not listening; your reply is kept for it.'
  return { hint, text: gone ? `${text}. ${kept}` : text, denies: question.approval !== undefined }
}

const REPLY = { hint: 'Reply…', text: 'Reply to the question' }
const CHOICE = { hint: 'Type your own…', text: 'Choose above or type your own' }
const DENIAL = { hint: 'Reason to deny…', text: 'Deny, with this as the reason' }
