import type { Attachment } from '../../../../src/protocol/entries/attachment.ts'
import type { OpenQuestion } from '../../../../src/protocol/entries/fold.ts'
import { newKey } from '../hub/key.ts'
import type { Answer } from '../hub/outbox.ts'
import { inOrder, type Person } from './person.ts'
import type { Talk } from './talk.svelte.ts'

/** What is written for a question of an exchange waits there until all answers are sent. Answers whether it was that. */
export function stageDraft(talk: Talk): boolean {
  const { aimed, uploads, canSend } = talk
  if (!aimed?.exchange) return false
  if (canSend) uploads.whenDone(() => stage(talk, aimed, talk.takeDraft(), uploads.take()))
  return true
}

function stage(talk: Talk, asked: OpenQuestion, words: string, files: Attachment[]) {
  const attempt = talk.attemptAt(asked.id)
  attempt.words = [attempt.words, words].filter(Boolean).join('\n\n')
  attempt.files = [...attempt.files, ...files]
  goOn(talk, asked)
}

/** What the person decided about each of these, as one command: all of it counts, or nothing. */
export function answerAll(person: Person, talk: Talk, asked: OpenQuestion[]) {
  const answers = asked.map((question): Answer => {
    const { choices, words, files } = talk.attemptAt(question.id)
    return {
      question: question.id,
      ...(choices.length > 0 && { choices: inOrder(question, choices) }),
      ...(words !== '' && { text: words }),
      ...(files.length > 0 && { attachments: files }),
    }
  })
  person.tell(talk, { conversation: talk.id, key: newKey(), text: '', at: Date.now(), answers, tapped: true })
}

/** To the next question of the card that has no answer yet, round the end; without one it stays. */
export function goOn(talk: Talk, asked: OpenQuestion) {
  const card = cardOf(talk, asked)
  const at = card.indexOf(asked)
  const next = [...card.slice(at + 1), ...card.slice(0, at)].find(({ id }) => !talk.attemptAt(id).isAnswered)
  if (next) talk.turnTo(next.id)
}

/** What was written for it is taken up again. */
export function rewrite(talk: Talk, asked: OpenQuestion) {
  const attempt = talk.attemptAt(asked.id)
  const { words, files } = attempt
  attempt.words = ''
  attempt.files = []
  talk.uploads.giveBack(files)
  talk.draft = [words, talk.draft].filter(Boolean).join('\n\n')
  talk.aimAt({ kind: 'reply', question: asked.id })
}

/** The questions that are answered together with this one. */
export function cardOf(talk: Talk, asked: OpenQuestion): OpenQuestion[] {
  return talk.cards.find((card) => card.includes(asked)) ?? [asked]
}
