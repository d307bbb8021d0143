import { inWords } from '../../protocol/entries/attachment.ts'
import type { Entry, Question } from '../../protocol/entries/entry.ts'
import { RouterCommand, type RouterFrame } from '../../protocol/frames/router.ts'
import { eventDialect } from './event-dialect.ts'
import { serialiseOnce } from './frames.ts'
import { questionInWords } from './question-in-words.ts'

const routerFrame = serialiseOnce(event)

/** The documented router: questions go to every frontend, the open ones again to one that comes late. */
export const router = eventDialect({
  type: 'user_response',
  command: RouterCommand,
  perform: ({ id, answer }, { view }) => view.answer(id, answer),
  frameOf: (entry) => (event(entry) ? routerFrame(entry) : undefined),
  greeting: ({ open }) => open.map((question) => ask(question.id, question)),
})

/** A frontend that shows a question learns what became of it, in the document's own frame where there are words. */
function event({ id, body }: Entry): RouterFrame | undefined {
  if (body.kind === 'question') return ask(id, body)
  if (body.kind !== 'settlement') return undefined
  const { question, outcome, reply, attachments } = body
  if (reply === undefined) return { id: question, type: 'question_closed', outcome }
  return { id: question, type: 'user_response', answer: inWords(reply, attachments) }
}

function ask(id: string, question: Pick<Question, 'text' | 'attachments' | 'approval'>): RouterFrame {
  return { id, type: 'ask_user', question: questionInWords(question) }
}
