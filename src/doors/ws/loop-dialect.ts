import { inWords } from '../../protocol/entries/attachment.ts'
import type { Entry } from '../../protocol/entries/entry.ts'
import { revisionInWords } from '../../protocol/entries/revision.ts'
import { UNANSWERED } from '../../protocol/entries/unanswered.ts'
import { LoopCommand, type LoopFrame } from '../../protocol/frames/loop.ts'
import { ifRefused } from '../../protocol/refusal.ts'
import { unreachable } from '../../protocol/unreachable.ts'
import { type Connected, eventDialect } from './event-dialect.ts'
import { serialiseOnce } from './frames.ts'
import { questionInWords } from './question-in-words.ts'

const eventFrame = serialiseOnce(event)

/** The documented chat loop: `chat` comes in, everything that is said and done goes out to everyone. */
export const loop = eventDialect({
  type: 'chat',
  command: LoopCommand,
  perform: ({ message, session_id }, { view, own, tellProblem }) =>
    talk(session_id ?? view.only ?? own(), message, { view, tellProblem }),
  frameOf: (entry) => (event(entry) ? eventFrame(entry) : undefined),
})

/** The words answer the oldest question there that wants words. A verdict takes more than words that name no call. */
async function talk(
  conversation: string,
  words: string,
  connected: Pick<Connected, 'view' | 'tellProblem'>,
): Promise<unknown> {
  const { view } = connected
  const { open } = await view.conversation(conversation)
  const question = open.find(({ approval }) => !approval)
  if (!question) return say(conversation, words, connected)
  // They named no question, so that somebody who was faster is no reason to lose them.
  const sayAgain = ifRefused(() => talk(conversation, words, connected), 'question_settled')
  return view.answer(question.id, words).catch(sayAgain)
}

/** The speaker is told where nobody answers. */
async function say(conversation: string, text: string, { view, tellProblem }: Pick<Connected, 'view' | 'tellProblem'>) {
  const { id } = await view.say(conversation, { text })
  const why = await view.unanswered(conversation)
  if (why) tellProblem(id, UNANSWERED[why])
}

function event({ body }: Entry): LoopFrame | undefined {
  switch (body.kind) {
    case 'message':
      return {
        type: body.author === 'user' ? 'user_message' : 'agent_message',
        message: inWords(body.text, body.attachments),
      }
    case 'revision':
      return { type: 'user_message', message: revisionInWords(body) }
    case 'question':
      return { type: 'agent_message', message: questionInWords(body) }
    case 'settlement':
      if (body.reply === undefined) return undefined
      return { type: 'user_message', message: inWords(body.reply, body.attachments) }
    case 'tool_call':
      return { type: 'tool_call', tool_name: body.tool_name, tool_args: body.tool_args }
    case 'tool_result':
      return { type: 'tool_result', tool_name: body.tool_name, result: body.result, success: body.success }
    case 'thinking':
      return { type: 'agent_thinking', reasoning: body.reasoning }
    case 'error':
      return { type: 'error', error: body.error }
    case 'permitted_call':
    case 'refused_call':
    case 'revocation':
    case 'receipt':
    case 'title':
    case 'progress':
    case 'turn':
    case 'plan':
    case 'earlier':
    case 'wish':
    case 'unknown':
      return undefined
    default:
      return unreachable(body)
  }
}
