import type { Entry, Question } from '../protocol/entry.ts'
import { RouterCommand, type RouterFrame } from '../protocol/router.ts'
import { eventDialect } from './event-dialect.ts'
import { serialiseOnce } from './frames.ts'
import { questionInWords } from './question-in-words.ts'

const askFrame = serialiseOnce(({ id, body }: Entry) => ask(id, body as Question))

/** The documented router: questions go to every frontend, the open ones again to one that comes late. */
export const router = eventDialect({
  type: 'user_response',
  command: RouterCommand,
  perform: ({ id, answer }, { view }) => view.answer(id, answer),
  frameOf: (entry) => (entry.body.kind === 'question' ? askFrame(entry) : undefined),
  greeting: ({ open }) => open.map((question) => ask(question.id, question)),
})

function ask(id: string, question: Pick<Question, 'text' | 'attachments' | 'approval'>): RouterFrame {
  return { id, type: 'ask_user', question: questionInWords(question) }
}
