import { BEFORE_ALL, type Body, type Earlier, type Entry, type RunSettings } from '../../protocol/entries/entry.ts'
import { hasWords, isNobodys } from '../../protocol/entries/unanswered.ts'
import { ParleyError } from '../../protocol/errors.ts'
import type { Choices, Driven, Runner } from '../../protocol/frames/driving.ts'
import { createAppending, type IsMeant } from '../conversation/appending.ts'
import { bodies, type Decide } from '../conversation/decision.ts'
import type { Projection } from '../conversation/projection.ts'
import type { Fencing } from '../hubs/fencing.ts'
import type { Attached, Posting } from '../people/attaching.ts'
import type { Reading } from '../reading/reading.ts'
import { saidBefore } from './going-on.ts'
import type { Held } from './leases.ts'
import type { Runners } from './runners.ts'
import { titleFrom } from './title-from.ts'
import { given, type Undriven } from './undriven.ts'

/** A person's changes to how a conversation is driven. */
export type RunSettingsChange = Omit<RunSettings, 'kind' | 'by' | 'waiting' | 'resume' | 'from'>
/** A new conversation: who drives it, and what it goes on from. */
export interface Beginning extends RunSettingsChange {
  runner: string
  resume?: string
  /** What that session is called. */
  title?: string
  from?: { conversation: string; entry?: string }
}
/** The first message of a person. */
export type FirstWords = Pick<Posting, 'by' | 'text' | 'attachments'>
/** A message of a person at any time. */
export type Words = Omit<Posting, 'author'>

export interface StartingParts {
  append(conversation: string, decide: Decide, key?: string, isMeant?: IsMeant): Promise<Entry>
  appendToKnown(conversation: string, decide: Decide, key?: string): Promise<Entry>
  fencing: Fencing
  attached: Attached
  page: Reading['page']
  runners: Pick<Runners, 'named' | 'all'>
  drivenIn(conversation: string): Driven | undefined
  projection: Pick<Projection, 'runnerOf' | 'owedBy'>
  undriven: Pick<Undriven, 'isUndriven' | 'runnerFor' | 'waits'>
}

/** Gives conversations to runners, as people wish. */
export function createStarting(parts: StartingParts) {
  const { append, appendToKnown, fencing, attached, page, runners, drivenIn, projection, undriven } = parts
  return { start, changeRunSettings, say, tellEarlier }

  /** A new conversation with a runner: the run settings and the first words are one append. */
  async function start(conversation: string, { from, title, ...wanted }: Beginning, words: FirstWords, key: string) {
    const before = from && (await saidBefore(page, from))
    const { resume } = wanted
    const decide: Decide = ({ last }) => {
      // The same command started it before, which its key tells.
      if (last !== BEFORE_ALL) throw new ParleyError('conflict')
      const runner = runners.named(wanted.runner)
      if (runner.problem !== undefined) throw new ParleyError('runner_problem', { problem: runner.problem })
      mustOffer(wanted, runner)
      if (resume !== undefined)
        return bodies(...beginning(runner, wanted, words, titleFrom(title ?? `A session of ${runner.agent}`)))
      const { conversation = '' } = from ?? {}
      const { whole_to } = before ?? {}
      const isWhole = whole_to !== undefined && !isAtWork(conversation)
      const goesOn = before && { from: { conversation, ...(isWhole && { whole_to }) } }
      return bodies(
        ...beginning(runner, { ...wanted, ...goesOn }, words, titleOf(words)),
        ...(before?.said ?? []),
        said(words),
      )
    }
    const isMeant: IsMeant = (body) =>
      resume === undefined ? body.kind === 'message' && body.text === words.text : body.kind === 'wish'
    return append(conversation, decide, key, isMeant)
  }

  /** The settings count from now on; the driver is told. */
  function changeRunSettings(conversation: string, wanted: RunSettingsChange, by: string, key?: string) {
    const decide: Decide = (state) => {
      const name = wanted.runner ?? state.wish?.runner
      const driven = drivenIn(conversation)
      const runner =
        wanted.runner === undefined ? runners.all().find((one) => one.name === name) : runners.named(wanted.runner)
      mustOffer(wanted, driven?.runner === name ? { ...runner, ...driven } : runner)
      // A runner that is chosen where nobody was finds what was said.
      const waiting = wanted.runner !== undefined && isNobodys(state) && hasWords(state)
      return bodies({ kind: 'wish', by, ...wanted, ...(waiting && { waiting }) })
    }
    return appendToKnown(conversation, decide, key)
  }

  /** Says a person's words, and where nobody answers, gives the conversation to the runner that is there for that. */
  async function say(conversation: string, words: Words, key?: string): Promise<Entry> {
    let isWaiting = false
    const decide: Decide = (state) => {
      const runner = undriven.runnerFor(state)
      isWaiting = !runner && undriven.isUndriven(state)
      const title = state.last === BEFORE_ALL ? titleOf(words) || undefined : undefined
      return bodies(...(runner ? given(state, runner, words.by, title) : []), said(words))
    }
    const entry = await append(conversation, decide, key)
    if (isWaiting) undriven.waits(entry)
    return entry
  }

  /** Tells what was said in the session that its agent goes on with. */
  function tellEarlier(lease: Held, by: string, entries: Omit<Earlier, 'kind' | 'by' | 'lease'>[], key: string) {
    const told = entries.map((one): Earlier => ({ kind: 'earlier', by: one.what === 'user' ? 'person' : by, ...one }))
    return createAppending(fencing.under(lease)).appendToKnown(lease.conversation, () => bodies(...told), key)
  }

  /** Its agent has not all of what was said there, or has more than that. */
  function isAtWork(conversation: string): boolean {
    const runner = projection.runnerOf(conversation) ?? ''
    return projection.owedBy(runner).some((owed) => owed.conversation === conversation)
  }

  function beginning(
    { folder }: Runner,
    wanted: Omit<RunSettings, 'kind' | 'by'>,
    words: FirstWords,
    title: string,
  ): Body[] {
    return [
      { kind: 'title', title, folder },
      { kind: 'wish', by: words.by, ...wanted },
    ]
  }

  function titleOf({ text, attachments }: Pick<FirstWords, 'text' | 'attachments'>): string {
    return titleFrom(text, attached(attachments).attachments)
  }

  function said({ attachments, ...words }: Words): Body {
    return { kind: 'message', author: 'user', ...words, ...attached(attachments) }
  }
}

/** Nobody can have what the agent does not, as far as that is known. */
function mustOffer({ mode, model }: RunSettingsChange, offered: { modes?: Choices; models?: Choices } = {}) {
  mustBeOneOf('mode', mode, offered.modes)
  mustBeOneOf('model', model, offered.models)
}

function mustBeOneOf(what: string, wanted: string | undefined, choices: Choices | undefined) {
  // Of a list that was too long nobody here knows all.
  if (wanted === undefined || !choices || choices.total !== undefined) return
  if (choices.all.some(({ id }) => id === wanted)) return
  const known = choices.all.map(({ id }) => id).join(', ') || 'none'
  throw new ParleyError('not_offered', { what, wanted, known })
}
