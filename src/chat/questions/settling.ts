import { ifError } from '../../io/if-error.ts'
import type { AttachmentRef } from '../../protocol/entries/attachment.ts'
import type { Body, Entry, Settlement } from '../../protocol/entries/entry.ts'
import { keysOfSeveral } from '../../protocol/entries/exchange.ts'
import type { ConversationState, OpenQuestion } from '../../protocol/entries/fold.ts'
import { ParleyError } from '../../protocol/errors.ts'
import type { Answer } from '../../protocol/frames/timeline-command.ts'
import { alsoAllowed, mustBeSayable } from '../approvals/always.ts'
import type { Policing } from '../approvals/policing.ts'
import { allowed, answered, type Choice, chosen, denied, optionTaken, type Verdict } from '../approvals/verdict.ts'
import type { IsMeant } from '../conversation/appending.ts'
import { bodies, type Decide } from '../conversation/decision.ts'
import type { Attached } from '../people/attaching.ts'
import type { Overdue } from './overdue.ts'

interface SettlingParts {
  append(conversation: string, decide: Decide, key?: string, isMeant?: IsMeant): Promise<Entry>
  /** The conversation of a question that is open. */
  placeOf(question: string): string | undefined
  conversationOf(question: string): Promise<string>
  attached: Attached
  policing: Pick<Policing, 'upheld' | 'isForbidden'>
  /** The arguments of a call before anything in them was masked, where they are kept. */
  clearInput(question: string): Promise<string | undefined>
  overdue: Overdue
}

export type Settling = ReturnType<typeof createSettling>

/** How a question is settled, and what else with it. */
interface Settled {
  by: string
  verdict(open: OpenQuestion): Verdict
  key?: string
  /** Whether an outcome is what this one would have been, as far as that can be told without the question. */
  isMeant?(settlement: Settlement): boolean
  also?(state: ConversationState, open: OpenQuestion): Body[]
}

/** Every way in which a question gets its one outcome. */
export function createSettling({
  append,
  placeOf,
  conversationOf,
  attached,
  policing,
  overdue,
  ...parts
}: SettlingParts) {
  /** Those that somebody settles once other work is done. */
  const taken = new Map<string, Promise<unknown>>()
  return {
    answer,
    choose,
    answerAll,
    allow,
    allowAlways,
    takeOption,
    deny,
    giveUp,
    expire,
    settleAfter,
    wanted,
  }

  function answer(question: string, reply: string, by: string, key?: string, files?: AttachmentRef[]) {
    return settle(question, {
      by,
      key,
      isMeant: (it) => it.reply === undefined || it.reply === reply,
      verdict: (open) => answered(open, reply, attached(files)),
    })
  }

  function choose(question: string, choice: Choice, by: string, key?: string, files?: AttachmentRef[]) {
    return settle(question, { by, key, verdict: (open) => chosen(open, choice, attached(files)) })
  }

  /** The answers of one conversation all count, or none. */
  async function answerAll(answers: Answer[], by: string, key?: string): Promise<Entry> {
    const keys = key === undefined ? [] : keysOfSeveral(key, answers.length)
    const decide: Decide = (state) =>
      answers.map(({ question, choices = [], text = '', attachments }, n) => {
        const asked = openIn(state, question)
        if (asked.approval) throw new ParleyError('invalid', { problem: WANTS_VERDICT })
        const files = attached(attachments)
        const verdict =
          choices.length > 0 ? chosen(asked, { choices, words: text }, files) : answered(asked, text, files)
        return { body: { kind: 'settlement', question, by, ...verdict }, key: keys[n] }
      })
    // Nothing is awaited that need not be, so that pipelined commands keep their order.
    const known = answers.map(({ question }) => placeOf(question))
    const places = known.includes(undefined)
      ? await Promise.all(answers.map(({ question }) => conversationOf(question)))
      : known
    const [conversation, ...others] = [...new Set(places)]
    if (conversation === undefined || others.length > 0) throw new ParleyError('invalid', { problem: OF_SEVERAL })
    return append(conversation, decide, key)
  }

  function allow(question: string, input: string | undefined, by: string, key?: string): Promise<Entry> {
    return settle(question, { by, key, isMeant: isApproval, verdict: (open) => allowed(open, input) })
  }

  /** This call, with what was changed in it, and every other of its tool by its asker in its conversation. */
  function allowAlways(question: string, input: string | undefined, by: string, key?: string): Promise<Entry> {
    const verdict = (open: OpenQuestion) => {
      const verdict = { ...allowed(open, input), always: 'granted' } as const
      mustBeSayable(open)
      return verdict
    }
    return settle(question, {
      by,
      key,
      isMeant: isApproval,
      verdict,
      also: (state, open) => alsoAllowed(state, open, by),
    })
  }

  function takeOption(question: string, option: string, by: string, key?: string): Promise<Entry> {
    return settle(question, {
      by,
      key,
      isMeant: (it) => it.option === option,
      verdict: (open) => optionTaken(open, option),
    })
  }

  function deny(question: string, reason: string | undefined, by: string, key?: string): Promise<Entry> {
    return settle(question, {
      by,
      key,
      isMeant: (it) => it.outcome === 'denied',
      verdict: (open) => denied(open, reason),
    })
  }

  /** Withdraws it, as soon as there is room; until then nobody else settles it. */
  async function giveUp(question: string, by: string, gone?: true): Promise<void> {
    const withdrawn: Verdict = { outcome: 'withdrawn', ...(gone && { gone }) }
    await overdue.end(question, async () => {
      await taken.get(question)
      await settleNow(question, { by, verdict: () => withdrawn })
    })
  }

  /** The entries without the outcomes of what is given up. */
  function wanted(also: Body[]): Body[] {
    return also.filter((body) => body.kind !== 'settlement' || !overdue.has(body.question))
  }

  function expire(question: string): Promise<Entry> {
    return settle(question, { by: 'parley', verdict: () => ({ outcome: 'expired' }) })
  }

  /** Settles once the work is done; others that would settle it wait for that. */
  async function settleAfter(work: () => Promise<unknown>, question: string, how: Settled): Promise<Entry> {
    const settled = Promise.resolve(before(question))
      .then(work)
      .then(() => settleNow(question, how))
    const done = settled.catch(() => {})
    taken.set(question, done)
    try {
      return await settled
    } finally {
      if (taken.get(question) === done) taken.delete(question)
    }
  }

  function settle(question: string, how: Settled): Promise<Entry> {
    const first = before(question)
    return first ? first.then(() => settle(question, how)) : settleNow(question, how)
  }

  /** The work that comes before anybody else settles it. */
  function before(question: string): Promise<unknown> | undefined {
    return taken.get(question) ?? (overdue.has(question) ? overdue.ended(question) : undefined)
  }

  /** Rules see what is masked, too, which is read first. */
  function settleNow(question: string, how: Settled, clear = new Map<string, string | undefined>()): Promise<Entry> {
    const readFirst = async ({ question: unread }: Unread) => {
      clear.set(unread, await parts.clearInput(unread))
      return settleNow(question, how, clear)
    }
    return settleWith(question, how, clear).catch(ifError(Unread, readFirst))
  }

  function settleWith(
    question: string,
    { by, key, verdict, isMeant = () => true, also = () => [] }: Settled,
    clear: ReadonlyMap<string, string | undefined>,
  ): Promise<Entry> {
    const decide: Decide = (state) => {
      const asked = openIn(state, question)
      const decided = verdict(asked)
      const upheld = policing.upheld(
        state,
        asked,
        decided,
        by,
        decided.outcome === 'approved' ? clearOf(asked) : undefined,
      )
      const settlement: Body = { kind: 'settlement', question, ...upheld }
      if (upheld.decided) return bodies(settlement)
      const others = wanted(also(state, asked)).filter((one) => !isForbidden(state, one))
      return bodies(...others, settlement)
    }
    // Nothing is awaited that need not be, so that pipelined commands keep their order.
    const conversation = placeOf(question)
    const isOurs = (body: Body) =>
      body.kind === 'settlement' &&
      body.question === question &&
      (body.decided !== undefined || (body.by === by && isMeant(body)))
    if (conversation) return append(conversation, decide, key, isOurs)
    return conversationOf(question).then((found) => append(found, decide, key, isOurs))

    function isForbidden(state: ConversationState, other: Body): boolean {
      if (other.kind !== 'settlement') return false
      const asked = openIn(state, other.question)
      return policing.isForbidden(state, asked, clearOf(asked))
    }

    function clearOf({ id, approval }: OpenQuestion): string | undefined {
      if ((approval?.masked !== undefined || approval?.cut) && !clear.has(id)) throw new Unread(id)
      return clear.get(id)
    }
  }
}

/** The masked texts of a call are not known yet. */
class Unread extends Error {
  readonly question: string

  constructor(question: string) {
    super()
    this.question = question
  }
}

const WANTS_VERDICT = 'One of these is a call, which is allowed or denied by itself'
const OF_SEVERAL = 'These are questions of more than one conversation'

function isApproval({ outcome }: Settlement): boolean {
  return outcome === 'approved'
}

function openIn({ open }: ConversationState, question: string): OpenQuestion {
  const asked = open.find(({ id }) => id === question)
  if (!asked) throw new ParleyError('question_settled')
  return asked
}
