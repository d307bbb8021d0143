import type { Attachment } from '../../../../src/protocol/entries/attachment.ts'
import type { OpenQuestion } from '../../../../src/protocol/entries/fold.ts'
import { newKey } from '../hub/key.ts'
import type { Answer } from '../hub/outbox.ts'
import type { Conversation } from './conversation.svelte.ts'
import { inOrder, type Person } from './person.ts'

/** Text for a question of an exchange waits there until all answers are sent. Returns whether it was for one. */
export function stageDraft(conversation: Conversation): boolean {
  const { aimed, uploads, canSend } = conversation
  if (!aimed?.exchange) return false
  if (canSend) uploads.whenDone(() => stage(conversation, aimed, conversation.takeDraft(), uploads.take()))
  return true
}

function stage(conversation: Conversation, asked: OpenQuestion, words: string, files: Attachment[]) {
  const attempt = conversation.attemptAt(asked.id)
  attempt.words = [attempt.words, words].filter(Boolean).join('\n\n')
  attempt.files = [...attempt.files, ...files]
  goOn(conversation, asked)
}

/** The person's decisions about each of these, as one command: all of it counts, or nothing. */
export function answerAll(person: Person, conversation: Conversation, asked: OpenQuestion[]) {
  const answers = asked.map((question): Answer => {
    const { choices, words, files } = conversation.attemptAt(question.id)
    return {
      question: question.id,
      ...(choices.length > 0 && { choices: inOrder(question, choices) }),
      ...(words !== '' && { text: words }),
      ...(files.length > 0 && { attachments: files }),
    }
  })
  person.tell(conversation, {
    conversation: conversation.id,
    key: newKey(),
    text: '',
    at: Date.now(),
    answers,
    tapped: true,
  })
}

/** Goes to the next question of the card that has no answer yet, round the end; without one it stays. */
export function goOn(conversation: Conversation, asked: OpenQuestion) {
  const card = cardOf(conversation, asked)
  const at = card.indexOf(asked)
  const next = [...card.slice(at + 1), ...card.slice(0, at)].find(({ id }) => !conversation.attemptAt(id).isAnswered)
  if (next) conversation.turnTo(next.id)
}

/** Whether it is another step of the same card, and offers nothing to choose. */
export function isNextInWords(before: OpenQuestion | undefined, now: OpenQuestion): boolean {
  const isNext = before !== undefined && before.id !== now.id && before.exchange === now.exchange
  return isNext && now.exchange !== undefined && !offersChoice(now)
}

/** Something to press, besides words of one's own. */
export function offersChoice({ approval, options, quick_replies }: OpenQuestion): boolean {
  return Boolean(approval ?? options ?? quick_replies?.length)
}

/** The text for it is taken up again. */
export function rewrite(conversation: Conversation, asked: OpenQuestion) {
  const attempt = conversation.attemptAt(asked.id)
  const { words, files } = attempt
  attempt.words = ''
  attempt.files = []
  conversation.uploads.giveBack(files)
  conversation.draft = [words, conversation.draft].filter(Boolean).join('\n\n')
  conversation.aimAt({ kind: 'reply', question: asked.id })
}

/** The questions that are answered together with this one. */
export function cardOf(conversation: Conversation, asked: OpenQuestion): OpenQuestion[] {
  return conversation.cards.find((card) => card.includes(asked)) ?? [asked]
}
