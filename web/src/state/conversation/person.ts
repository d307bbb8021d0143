import type { Attachment } from '../../../../src/protocol/entries/attachment.ts'
import { inWordsOf } from '../../../../src/protocol/entries/exchange.ts'
import type { OpenQuestion } from '../../../../src/protocol/entries/fold.ts'
import type { DeliveryTiming } from '../../../../src/protocol/entries/run-settings.ts'
import { newKey } from '../hub/key.ts'
import type { Link } from '../hub/link.svelte.ts'
import type { Outbox, Unsent } from '../hub/outbox.ts'
import type { Verdict } from '../rows/records.ts'
import type { Pending } from '../rows/rows.ts'
import type { Conversation } from './conversation.svelte.ts'

interface PersonParts {
  send: Link['send']
  cancel: Link['cancel']
  outbox?: Outbox
}

/** Everything that the person does. It is on screen at once, and on its way to the hub with a key of its own. */
export class Person {
  readonly #send: Link['send']
  readonly #cancel: Link['cancel']
  readonly #outbox: Outbox | undefined
  /** Messages that may have been sent before this page was loaded. */
  readonly #restored = new Set<string>()

  constructor({ send, cancel, outbox }: PersonParts) {
    this.#send = send
    this.#cancel = cancel
    this.#outbox = outbox
  }

  /**
   * Sends what is written, with its files as soon as they are all with the hub; a verdict takes none and waits for
   * none.
   */
  sendDraft(conversation: Conversation) {
    const { canSend, target, aimed, uploads } = conversation
    if (!canSend) return
    if (target.kind === 'denial') return this.#deny(conversation, target.question, conversation.takeDraft())
    const about = target.kind === 'message' ? target.answers : undefined
    // The target is the one that the composer promised when it was sent, whatever is asked meanwhile.
    uploads.whenDone(() =>
      this.write(conversation, conversation.takeDraft(), { question: aimed, about }, uploads.take()),
    )
  }

  /** Words that go where those of the composer would, or to the question that they are about. They decide nothing. */
  say(conversation: Conversation, text: string, about?: string) {
    this.write(conversation, text, { question: conversation.questionFor(about), about })
  }

  #deny(conversation: Conversation, question: string, reason: string) {
    this.decide(conversation, question, reason.trim() === '' ? { type: 'deny' } : { type: 'deny', reason }, 'typed')
  }

  /** Sends the words with the options that are ticked. */
  write(conversation: Conversation, words: string, { question, about }: To, files: Attachment[] = []) {
    const attachments = files.length > 0 ? files : undefined
    const common = {
      conversation: conversation.id,
      key: newKey(),
      attachments,
      at: Date.now(),
      question: question?.id,
      about,
    }
    const choices = question ? inOrder(question, conversation.attemptAt(question.id).choices) : []
    const unsent =
      choices.length > 0 ? { ...common, text: inWordsOf(choices, words), choices, words } : { ...common, text: words }
    this.tell(conversation, unsent)
  }

  tell(conversation: Conversation, unsent: Unsent) {
    conversation.say(unsent)
    this.pass(unsent)
  }

  /** Messages on screen go to the hub, over a reload too. */
  pass(unsent: Unsent) {
    this.#outbox?.keep(unsent)
    this.#deliver(unsent)
  }

  /** Shows a message of an earlier visit again. */
  restore(conversation: Conversation, unsent: Unsent) {
    this.#restored.add(unsent.key)
    this.sayAgain(conversation, unsent)
  }

  /** The key makes it happen once. */
  sayAgain(conversation: Conversation, unsent: Unsent) {
    conversation.say(unsent)
    this.#deliver(unsent)
  }

  #deliver({ conversation, key, text, attachments, question, choices, words, answers, about }: Unsent) {
    if (answers) this.#send({ type: 'answer_all', key, answers })
    else if (!question) this.#send({ type: 'post', key, conversation, text, attachments, answers: about })
    else if (choices) this.#send({ type: 'choose', key, question, choices, text: words, attachments })
    else this.#send({ type: 'answer', key, question, text, attachments })
  }

  /** Keeps back a message that is certain not to be with the hub: now it never will be. */
  keepBack(conversation: Conversation, message: string): Pending | undefined {
    const unsent = conversation.pending.find(({ key }) => key === message)
    if (!unsent || this.#restored.has(message) || !this.#cancel(message)) return undefined
    this.#outbox?.drop(message)
    return unsent
  }

  /** Other words for a message, or none: then a later visit must not say it again. */
  revise(conversation: Conversation, key: string, message: string, text?: string) {
    if (text === undefined) this.#outbox?.drop(message)
    this.#send({ type: 'revise', key, conversation: conversation.id, message, text })
  }

  readWhole({ id: conversation }: Conversation, around: string) {
    this.#send({ type: 'read', key: newKey(), conversation, around, limit: 1 })
  }

  decide(conversation: Conversation, question: string, verdict: Verdict, how: 'tapped' | 'typed' = 'tapped') {
    const key = newKey()
    const text = verdict.type === 'deny' ? (verdict.reason ?? '') : ''
    conversation.say({ key, text, at: Date.now(), question, verdict, tapped: how === 'tapped' })
    this.#send({ ...verdict, key, question })
  }

  /** The agent is to stop what it does, with these words if there are any; what it asked needs no answer any more. */
  stop(conversation: Conversation, text = '') {
    const key = newKey()
    conversation.say({ key, text: text || 'Stop', at: Date.now(), stop: true, tapped: text === '' })
    this.#send({ type: 'interrupt', key, conversation: conversation.id, text: text || undefined })
  }

  /** How the conversation is to be driven from now on. */
  changeRunSettings(
    conversation: Conversation,
    wanted: { runner?: string; mode?: string; model?: string; delivery?: DeliveryTiming },
  ) {
    this.#send({ type: 'wish', key: newKey(), conversation: conversation.id, ...wanted })
  }

  rename(conversation: Conversation, title: string) {
    this.#send({ type: 'rename', key: newKey(), conversation: conversation.id, title })
  }

  /** Removes the conversation for everyone; it leaves the list when the hub says that it is gone. */
  forget({ id, state }: Conversation) {
    this.#send({ type: 'forget', key: newKey(), conversation: id, up_to: state.last })
  }
}

/** The target of the words. */
interface To {
  question?: OpenQuestion
  /** The message that they are about. */
  about?: string
}

/** The choices in the order of the question. */
export function inOrder({ options = [] }: OpenQuestion, chosen: string[]): string[] {
  return options.map(({ label }) => label).filter((label) => chosen.includes(label))
}
