import type { Entry } from '../protocol/entry.ts'
import { ParleyError } from '../protocol/errors.ts'
import type { Conversation } from '../protocol/fold.ts'
import { isAskedBy } from './own-outcome.ts'
import type { Contents } from './undelivered.ts'

interface OwnershipParts {
  entry(id: string): Promise<Entry | undefined>
  stateOf(conversation: string): Promise<Conversation>
  /** Of the conversation of a question. */
  stateAround(question: string): Promise<Conversation>
}

/** Whose questions they are, and so whose replies. */
export function createOwnership({ entry, stateOf, stateAround }: OwnershipParts) {
  return { of }

  function of(asker: string) {
    return { own, mustOwn, recognise }

    async function mustOwn(questions: string[], agent: string | undefined) {
      await Promise.all(questions.map((question) => own(question, agent)))
    }

    /** To everybody but its asker there is no such question. */
    async function own(question: string, agent?: string): Promise<string> {
      const open = (await stateAround(question)).open.find(({ id }) => id === question)
      const body = open ? ({ kind: 'question', ...open } as const) : (await entry(question))?.body
      if (!body || !isAskedBy({ asker, agent }, body)) throw new ParleyError('unknown_question', { question })
      return question
    }

    /** Of what an agent says that it got, as much as it can have got. */
    async function recognise(conversation: string, { messages_to, replies, stop }: Contents): Promise<Contents> {
      const state = await stateOf(conversation)
      const own = await Promise.all(replies.map((reply) => isReply(conversation, reply)))
      return {
        messages_to: atMost(state.messages.last, messages_to),
        replies: replies.filter((_, n) => own[n]),
        stop: state.stop && atMost(state.stop.last, stop),
      }
    }

    async function isReply(conversation: string, reply: string): Promise<boolean> {
      const found = await entry(reply)
      if (found?.body.kind !== 'settlement' || found.conversation !== conversation) return false
      const asked = await entry(found.body.question)
      return asked !== undefined && isAskedBy({ asker }, asked.body)
    }
  }
}

function atMost(last: string, told: string | undefined): string | undefined {
  return told !== undefined && told > last ? last : told
}
