import type { Choices, Driven, Runner } from '../protocol/driving.ts'
import { BEFORE_ALL, type Body, type Entry, type Wish } from '../protocol/entry.ts'
import { ParleyError } from '../protocol/errors.ts'
import type { Attached, Posting } from './attaching.ts'
import { bodies, type Decide } from './decision.ts'
import type { Runners } from './runners.ts'
import { titleFrom } from './title-from.ts'

/** What a person wants of how a conversation is driven. */
export type Wanted = Omit<Wish, 'kind' | 'by'>
/** What a person says first. */
export type FirstWords = Pick<Posting, 'by' | 'text' | 'attachments'>

interface StartingParts {
  append(conversation: string, decide: Decide, key?: string): Promise<Entry>
  appendToKnown(conversation: string, decide: Decide, key?: string): Promise<Entry>
  attached: Attached
  runners: Pick<Runners, 'named' | 'all'>
  drivenIn(conversation: string): Driven | undefined
  hasAgent(conversation: string): boolean
}

/** Gives conversations to runners, as people wish. */
export function createStarting({ append, appendToKnown, attached, runners, drivenIn, hasAgent }: StartingParts) {
  return { start, wish, converse }

  /** A new conversation with a runner: the wish and the first words are one append. */
  function start(conversation: string, wanted: Wanted & { runner: string }, words: FirstWords, key: string) {
    const decide: Decide = ({ last }) => {
      // Then it was started by the same command before, which its key tells.
      if (last !== BEFORE_ALL) throw new ParleyError('conflict')
      const runner = runners.named(wanted.runner)
      if (runner.problem !== undefined) throw new ParleyError('runner_problem', { problem: runner.problem })
      mustOffer(wanted, runner)
      return bodies(...beginning(runner, wanted, words), said(words))
    }
    return append(conversation, decide, key)
  }

  /** From now on; the driver is told. */
  function wish(conversation: string, wanted: Wanted, by: string, key?: string) {
    const decide: Decide = (state) => {
      const name = wanted.runner ?? state.wish?.runner
      const driven = drivenIn(conversation)
      const runner =
        wanted.runner === undefined ? runners.all().find((one) => one.name === name) : runners.named(wanted.runner)
      mustOffer(wanted, driven?.runner === name ? { ...runner, ...driven } : runner)
      return bodies({ kind: 'wish', by, ...wanted })
    }
    return appendToKnown(conversation, decide, key)
  }

  /** Says it. Where nobody has spoken and nobody listens, the first runner there is gets the conversation. */
  function converse(conversation: string, words: FirstWords) {
    const decide: Decide = ({ last }) => {
      const isFree = last === BEFORE_ALL && !hasAgent(conversation)
      const runner = isFree ? runners.all().find(({ problem }) => problem === undefined) : undefined
      return bodies(...(runner ? beginning(runner, { runner: runner.name }, words) : []), said(words))
    }
    return append(conversation, decide)
  }

  function beginning({ folder }: Runner, wanted: Wanted, { by, text, attachments }: FirstWords): Body[] {
    const title = titleFrom(text, attached(attachments).attachments)
    return [
      { kind: 'title', title, folder },
      { kind: 'wish', by, ...wanted },
    ]
  }

  function said({ by, text, attachments }: FirstWords): Body {
    return { kind: 'message', author: 'user', by, text, ...attached(attachments) }
  }
}

/** Nobody can have what the agent does not, as far as that is known. */
function mustOffer({ mode, model }: Wanted, offered: { modes?: Choices; models?: Choices } = {}) {
  mustBeOneOf('mode', mode, offered.modes)
  mustBeOneOf('model', model, offered.models)
}

function mustBeOneOf(what: string, wanted: string | undefined, choices: Choices | undefined) {
  if (wanted === undefined || !choices || choices.all.some(({ id }) => id === wanted)) return
  const known = choices.all.map(({ id }) => id).join(', ') || 'none'
  throw new ParleyError('not_offered', { what, wanted, known })
}
