import type { Driven } from '../../../src/protocol/frames/driving.ts'
import { hasReached } from '../state/conversation/changing.ts'
import type { Conversation } from '../state/conversation/conversation.svelte.ts'
import type { Hub } from '../state/hub/hub.svelte.ts'
import type { Doing } from '../state/list/doing.ts'
import type { Settings } from '../state/page/settings.svelte.ts'
import { agentName } from '../text/agent.ts'
import { unanswered } from './unanswered.ts'

/** The composer's promise about what is typed. */
interface Promised {
  hint: string
  text: string
  /** Sending denies the call. */
  denies: boolean
}

/** Nobody asks, and only then people write here. */
export function isClosed(
  hub: Pick<Hub, 'composer'>,
  settings: Settings,
  conversation: Pick<Conversation, 'question' | 'driven' | 'state'>,
): boolean {
  // A driven agent waits to be spoken to.
  const isDriven = conversation.driven !== undefined || conversation.state.wish?.runner !== undefined
  return settings.composerOn(hub.composer) === 'when-asked' && !conversation.question && !isDriven
}

type Told = Pick<Conversation, 'doing'>

export function promised(
  { link, roster }: Pick<Hub, 'link' | 'roster'>,
  conversation: Conversation,
  closed: boolean,
): Promised {
  if (closed) return unasked(conversation)
  return link.shut ? KEPT : promiseOf(conversation, unanswered(conversation, roster) !== undefined)
}

/** Typed text can only wait where the hub does not let this page in. */
const KEPT: Promised = {
  hint: 'Message…',
  text: 'What you write is kept until you can send it',
  denies: false,
}

/** The promise where people write only when they are asked. */
function unasked(conversation: Told & Pick<Conversation, 'rows'>): Promised {
  const last = conversation.rows.findLast((row) => row.kind === 'bubble' && row.side === 'agent')
  const agent = last?.kind === 'bubble' ? agentName(last.by) : 'the agent'
  return {
    hint: `Waiting for a question from ${agent}`,
    text: conversation.doing === 'stopping' ? ALONE.stopping : UNASKED,
    denies: false,
  }
}

type Aimed = Told &
  Pick<Conversation, 'target' | 'aimed' | 'question'> & { meant?: Conversation['meant']; driven?: Driven }

/** `isNobodys`: a card above says that nobody answers, and there is no agent to say anything of. */
export function promiseOf(conversation: Aimed, isNobodys = false): Promised {
  const { target, aimed, meant, question, doing, driven } = conversation
  if (target.kind === 'change')
    return { hint: 'Message…', text: hasReached(meant) ? SENT_CHANGE : CHANGE, denies: false }
  if (!aimed) {
    const isThere = ALONE[doing] === NEXT_TURN
    const alone = isNobodys && doing === 'gone' ? '' : ALONE[doing]
    const text = !isThere ? alone : question ? BESIDE : driven ? drivenPromise(driven) : NEXT_TURN
    return { hint: 'Message…', text, denies: false }
  }
  const denies = target.kind === 'denial'
  const { hint, text } = denies
    ? DENIAL
    : aimed.exchange
      ? STEP
      : aimed.multi_select
        ? CHOICES
        : aimed.options
          ? CHOICE
          : REPLY
  return { hint, text: text + ASIDE[doing], denies }
}

function drivenPromise({ state, delivery }: Driven): string {
  if (state === 'asleep') return 'Wakes the agent'
  if (state === 'idle') return 'The agent starts on it at once'
  return delivery === 'steer' ? 'Goes into the running turn' : 'Waits for the agent’s next turn'
}

const CHANGE = 'Changes your message'
const SENT_CHANGE = 'The agent has this message; your change is sent as a new one'
const REPLY = { hint: 'Reply…', text: 'Reply to the question' }
const CHOICE = { hint: 'Type your own…', text: 'Choose above or type your own' }
const CHOICES = { hint: 'Type your own or add to it…', text: 'Your ticked options are sent with what you type' }
const STEP = { hint: 'Your own words…', text: 'Kept with your other answers until you send all' }
const DENIAL = { hint: 'Reason, optional…', text: 'Deny, with this as the reason' }
const UNASKED = 'You can write when the agent asks'

const NEXT_TURN = 'For the agent’s next turn'
const BESIDE = 'A message for the agent; its question above stays open'
const ALONE: Record<Doing, string> = {
  working: NEXT_TURN,
  waiting: NEXT_TURN,
  backgrounded: NEXT_TURN,
  idle: NEXT_TURN,
  gone: 'Kept until the agent listens again',
  stopping: 'Stops at the agent’s next call',
  unknown: 'Sent when the hub is back',
}
const ASIDE: Record<Doing, string> = {
  working: '',
  waiting: '',
  backgrounded: '. The agent moved on; it gets this with its next call.',
  idle: '',
  gone: '. Kept until the agent listens again.',
  stopping: '',
  unknown: '. Sent when the hub is back.',
}
