import { type Agent, isAlike } from '../../protocol/entries/agent.ts'
import type { Body, Entry } from '../../protocol/entries/entry.ts'
import type { ConversationState } from '../../protocol/entries/fold.ts'
import { ParleyError } from '../../protocol/errors.ts'
import type { Contents } from '../delivery/undelivered.ts'
import { askerOf } from './own-outcome.ts'

interface OwnershipParts {
  entry(id: string): Promise<Entry | undefined>
  stateOf(conversation: string): Promise<ConversationState>
  /** The state of the conversation of a question. */
  stateAround(question: string): Promise<ConversationState>
  /** The same where it is at hand, of a question that is open. */
  knownAround(question: string): ConversationState | undefined
}

/** The owners of questions, and so of their replies. */
export function createOwnership({ entry, stateOf, stateAround, knownAround }: OwnershipParts) {
  return { of }

  function of(whose: Agent, maySee: (conversation: string) => boolean) {
    return { own, allOwn, recognise }

    async function allOwn(questions: string[], agent?: string): Promise<string[]> {
      return Promise.all(questions.map((question) => own(question, agent)))
    }

    /** The question exists only for its asker. Nothing is awaited of one that was asked just now. */
    function own(question: string, agent?: string): string | Promise<string> {
      const known = knownAround(question)
      const open = known && openIn(known, question)
      return open ? ifOwn(question, known, open, agent) : found(question, agent)
    }

    async function found(question: string, agent?: string): Promise<string> {
      const state = await stateAround(question)
      return ifOwn(question, state, openIn(state, question) ?? (await entry(question))?.body, agent)
    }

    function ifOwn(question: string, { id }: ConversationState, body: Body | undefined, agent?: string): string {
      if (!maySee(id) || !isOwn(body, agent)) throw new ParleyError('unknown_question', { question })
      return question
    }

    /** The part of what an agent says it got that it can have got. */
    async function recognise(conversation: string, told: Contents): Promise<Contents> {
      const { messages_to, ahead = [], replies, stop } = told
      const state = await stateOf(conversation)
      const revisions = await Promise.all(ahead.map((id) => isRevision(conversation, id)))
      const own = await Promise.all(replies.map((reply) => isReply(conversation, reply)))
      return {
        messages_to: atMost(state.messages.last, messages_to),
        ...(ahead.length > 0 && { ahead: ahead.filter((_, n) => revisions[n]) }),
        replies: replies.filter((_, n) => own[n]),
        stop: state.stop && atMost(state.stop.last, stop),
      }
    }

    async function isRevision(conversation: string, id: string): Promise<boolean> {
      const found = await entry(id)
      return found?.body.kind === 'revision' && found.conversation === conversation
    }

    async function isReply(conversation: string, reply: string): Promise<boolean> {
      const found = await entry(reply)
      if (found?.body.kind !== 'settlement' || found.conversation !== conversation) return false
      return isOwn((await entry(found.body.question))?.body)
    }

    /** An agent that names a question was told of it. */
    function isOwn(body: Body | undefined, agent?: string): boolean {
      const asked = body && askerOf(body)
      return asked !== undefined && isAlike(asked, { ...whose, agent })
    }
  }
}

function openIn({ open }: ConversationState, question: string): Body | undefined {
  const asked = open.find(({ id }) => id === question)
  return asked && { kind: 'question', ...asked }
}

function atMost(last: string, told: string | undefined): string | undefined {
  return told !== undefined && told > last ? last : told
}
