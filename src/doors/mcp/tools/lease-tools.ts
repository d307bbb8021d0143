import { BEFORE_ALL } from '../../../protocol/entries/entry.ts'
import { DRIVING } from '../../../protocol/frames/driving.ts'
import { type Tool, tool } from '../surface.ts'
import { type ChatParts, withoutBlanks } from './chat-tools.ts'

/** How long a conversation is held when nobody says for how long. */
const HELD_SECONDS = 30

/** What those need who drive agents: a conversation to themselves, what to give to its agent, and a person to ask. */
export function leaseTools({ viewOf }: Pick<ChatParts, 'viewOf'>): Tool[] {
  return [
    tool({
      name: 'hold_conversation',
      title: 'Hold a conversation',
      description:
        'Makes you the only one who drives the agent of a conversation, until the lease is over; call it again before that. Says who holds it, until when, and how the person wants it to be driven.',
      needs: 'drive',
      often: true,
      ...DRIVING.hold_conversation,
      async call({ session_id, holder, seconds = HELD_SECONDS }, { principal }) {
        const {
          held,
          until,
          wish: runSettings,
          ...now
        } = await viewOf(principal).driver().acquire(session_id, holder, seconds)
        return { held, holder: now.holder, until: new Date(until).toISOString(), wish: runSettings }
      },
    }),
    tool({
      name: 'release_conversation',
      title: 'Release a conversation',
      description: 'Ends at once that you hold a conversation, so that others can.',
      needs: 'drive',
      ...DRIVING.release_conversation,
      async call({ session_id, holder }, { principal }) {
        return { released: await viewOf(principal).driver().release(session_id, holder) }
      },
    }),
    tool({
      name: 'missing_conversations',
      title: 'Which conversations are gone',
      description:
        'Answers with those of the conversations that are not there any more, because people had them forgotten: keep nothing of them. An update of ui://chat/events without events says that there may be some.',
      needs: 'drive',
      ...DRIVING.missing_conversations,
      async call({ session_ids }, { principal }) {
        return { missing: await viewOf(principal).driver().missing(session_ids) }
      },
    }),
    tool({
      name: 'receive_messages',
      title: 'Receive messages',
      description:
        'Call it before you give messages to the agent of a conversation that you hold. Answers with those that nobody had, and they count as read; a reply that its asker has or waits for is not among them. Those in revised have other words by now, or tell the agent of a change of what it has. With the same key it answers the same.',
      needs: 'drive',
      ...DRIVING.receive_messages,
      async call({ session_id, holder, key, messages }, { principal }) {
        return { ...(await viewOf(principal).driver().receive(session_id, holder, key, messages)) }
      },
    }),
    tool({
      name: 'ask_person',
      title: 'Ask without waiting',
      description:
        'Asks the person for the agent of a conversation that you hold, and does not wait: what becomes of it comes as an event of ui://chat/events. The same key asks once.',
      needs: 'drive',
      ...DRIVING.ask_person,
      async call({ session_id, holder, ...asked }, { principal, client: by }) {
        return {
          question_id: await viewOf(principal)
            .driver()
            .ask(session_id, holder, { by, ...asked }),
        }
      },
    }),
    tool({
      name: 'withdraw_questions',
      title: 'Withdraw questions',
      description:
        'Takes back questions of ask_person that nobody can use an answer to any more. Answers with those that were open.',
      needs: 'drive',
      ...DRIVING.withdraw_questions,
      async call({ session_id, holder, question_ids }, { principal, client }) {
        return { withdrawn: await viewOf(principal).driver().withdraw(session_id, holder, question_ids, client) }
      },
    }),
    tool({
      name: 'read_events',
      title: 'Read events since',
      description:
        'Returns what ui://chat/events tells, after the event or message with id after_id and oldest first: how questions of ask_person ended, that a rule ended the turn of an agent, and what the person wishes. Go on from last_id while has_more.',
      needs: 'drive',
      ...DRIVING.read_events,
      tidy: withoutBlanks,
      async call({ session_id, after_id = BEFORE_ALL, limit }, { principal }) {
        return { ...(await viewOf(principal).driver().eventsSince(session_id, after_id, limit)) }
      },
    }),
  ]
}
