import type { Attachment } from '../../../src/protocol/attachment.ts'
import { inWordsOf } from '../../../src/protocol/choice.ts'
import type { OpenQuestion } from '../../../src/protocol/fold.ts'
import { newKey } from './key.ts'
import type { Link } from './link.svelte.ts'
import type { Outbox, Unsent } from './outbox.ts'
import type { Verdict } from './records.ts'
import type { Talk } from './talk.svelte.ts'

interface PersonParts {
  send: Link['send']
  outbox?: Outbox
}

/** Everything that the person does. It is on screen at once, and on its way to the hub with a key of its own. */
export class Person {
  readonly #send: Link['send']
  readonly #outbox: Outbox | undefined

  constructor({ send, outbox }: PersonParts) {
    this.#send = send
    this.#outbox = outbox
  }

  /** What is written, with its files as soon as they are all with the hub; a verdict takes none and waits for none. */
  sendDraft(talk: Talk) {
    const { canSend, target, aimed, uploads } = talk
    if (!canSend) return
    if (target.kind === 'denial') return this.#deny(talk, target.question, talk.takeDraft())
    // To what the composer promised when it was sent, whatever is asked meanwhile.
    uploads.whenDone(() => this.#tell(talk, talk.takeDraft(), aimed, uploads.take()))
  }

  /** Words that go where those of the composer would. */
  say(talk: Talk, text: string) {
    this.#tell(talk, text, talk.aimed)
  }

  /** A reply that was offered. */
  reply(talk: Talk, question: OpenQuestion, text: string) {
    this.#tell(talk, text, question)
  }

  #deny(talk: Talk, question: string, reason: string) {
    this.decide(talk, question, reason.trim() === '' ? { type: 'deny' } : { type: 'deny', reason }, 'typed')
  }

  #tell(talk: Talk, words: string, question: OpenQuestion | undefined, files: Attachment[] = []) {
    const attachments = files.length > 0 ? files : undefined
    const common = { conversation: talk.id, key: newKey(), attachments, at: Date.now(), question: question?.id }
    const choices = question ? inOrder(question, talk.attemptAt(question.id).choices) : []
    const unsent =
      choices.length > 0 ? { ...common, text: inWordsOf(choices, words), choices, words } : { ...common, text: words }
    this.#outbox?.keep(unsent)
    this.sayAgain(talk, unsent)
  }

  /** With its key, so that it happens once. */
  sayAgain(talk: Talk, { conversation, ...unsent }: Unsent) {
    const { key, text, attachments, question, choices, words } = unsent
    talk.say(unsent)
    if (!question) this.#send({ type: 'post', key, conversation, text, attachments })
    else if (choices) this.#send({ type: 'choose', key, question, choices, text: words, attachments })
    else this.#send({ type: 'answer', key, question, text, attachments })
  }

  choose(talk: Talk, asked: OpenQuestion, chosen: string[]) {
    const key = newKey()
    const choices = inOrder(asked, chosen)
    talk.say({ key, text: inWordsOf(choices), at: Date.now(), question: asked.id, tapped: true })
    this.#send({ type: 'choose', key, question: asked.id, choices })
  }

  decide(talk: Talk, question: string, verdict: Verdict, how: 'tapped' | 'typed' = 'tapped') {
    const key = newKey()
    const text = verdict.type === 'deny' ? (verdict.reason ?? '') : ''
    talk.say({ key, text, at: Date.now(), question, verdict, tapped: how === 'tapped' })
    this.#send({ ...verdict, key, question })
  }

  /** The agent is to stop what it does, with these words if there are any; what it asked needs no answer any more. */
  stop(talk: Talk, text = '') {
    const key = newKey()
    talk.say({ key, text: text || 'Stop', at: Date.now(), stop: true, tapped: text === '' })
    this.#send({ type: 'interrupt', key, conversation: talk.id, text: text || undefined })
  }

  rename(talk: Talk, title: string) {
    this.#send({ type: 'rename', key: newKey(), conversation: talk.id, title })
  }

  /** Removes the conversation for everyone; it leaves the list when the hub says that it is gone. */
  forget({ id, state }: Talk) {
    this.#send({ type: 'forget', key: newKey(), conversation: id, up_to: state.last })
  }
}

/** As the question offers them. */
function inOrder({ options = [] }: OpenQuestion, chosen: string[]): string[] {
  return options.map(({ label }) => label).filter((label) => chosen.includes(label))
}
