import { inWords } from '../protocol/attachment.ts'
import type { Entry } from '../protocol/entry.ts'
import { ParleyError } from '../protocol/errors.ts'
import { LoopCommand, type LoopFrame } from '../protocol/loop.ts'
import { unreachable } from '../protocol/unreachable.ts'
import { type Desk, eventDialect, openQuestions } from './event-dialect.ts'
import { serialiseOnce } from './frames.ts'

const eventFrame = serialiseOnce(event)

/** The documented chat loop: `chat` comes in, everything that is said and done goes out to everyone. */
export const loop = eventDialect({
  type: 'chat',
  command: LoopCommand,
  perform: talk,
  frameOf: (entry) => (event(entry) ? eventFrame(entry) : undefined),
})

/** What a person says while a question is open answers it, as in every other place where people type. */
async function talk(said: LoopCommand, desk: Desk): Promise<unknown> {
  const { view, own } = desk
  const named = said.session_id ?? view.only
  const [question] = await openQuestions(view, named === undefined ? await view.current() : [named])
  if (!question) return view.say(named ?? own(), { text: said.message })
  try {
    return await view.answer(question.id, said.message)
  } catch (error) {
    // It named no question, so that somebody who was faster is no reason to lose it.
    if (error instanceof ParleyError && error.code === 'question_settled') return talk(said, desk)
    throw error
  }
}

function event({ body }: Entry): LoopFrame | undefined {
  switch (body.kind) {
    case 'message':
      return {
        type: body.author === 'user' ? 'user_message' : 'agent_message',
        message: inWords(body.text, body.attachments),
      }
    case 'question':
      return { type: 'agent_message', message: inWords(body.text, body.attachments) }
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
    case 'revocation':
    case 'receipt':
    case 'title':
    case 'progress':
    case 'turn':
    case 'unknown':
      return undefined
    default:
      return unreachable(body)
  }
}
