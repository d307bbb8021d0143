import { type Entry, isSettlement, type Question } from '../../protocol/entries/entry.ts'
import { ParleyError } from '../../protocol/errors.ts'
import type { Policing } from '../approvals/policing.ts'
import { bodies, type Decide, knownId } from '../conversation/decision.ts'
import type { Fencing } from '../hubs/fencing.ts'
import type { Held } from './leases.ts'

/** A question of who drives an agent. The same key asks once. */
export interface DrivenAsking
  extends Pick<Question, 'by' | 'text' | 'quick_replies' | 'options' | 'multi_select' | 'approval'> {
  key: string
}

interface DrivenQuestionsParts {
  fencing: Fencing
  put: Policing['put']
  conversationOf(question: string): Promise<string>
}

/** Asks for agents that are driven: nobody waits in a call. */
export function createDrivenQuestions({ fencing, put, conversationOf }: DrivenQuestionsParts) {
  return { ask, withdraw }

  async function ask(lease: Held, asker: string, { key, ...asked }: DrivenAsking): Promise<string> {
    const question: Question = { kind: 'question', ...asked, asker, driven: true }
    const decide: Decide = (state) => bodies(put(state, question))
    const [entry] = await fencing.under(lease).append(lease.conversation, decide, { key })
    return (entry as Entry).id
  }

  /** Those that were open, and that somebody asked who drives. */
  async function withdraw(lease: Held, questions: string[], by: string): Promise<string[]> {
    const { conversation } = lease
    const places = await Promise.all(questions.map(conversationOf))
    const elsewhere = questions.find((_, n) => places[n] !== conversation)
    if (elsewhere !== undefined) throw new ParleyError('unknown_question', { question: elsewhere })
    const entries = await fencing
      .under(lease)
      .append(conversation, ({ open }) =>
        bodies(
          ...open
            .filter(({ id, driven }) => driven && questions.includes(id))
            .map(({ id }) => ({ kind: 'settlement', question: knownId(id), outcome: 'withdrawn', by }) as const),
        ),
      )
    return entries.filter(isSettlement).map(({ body }) => body.question)
  }
}
