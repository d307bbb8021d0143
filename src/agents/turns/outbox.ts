import { ifRefused } from '../../protocol/refusal.ts'
import type { ConversationHub } from '../hub.ts'
import type { Post, UiState } from './ui-state.ts'

/** An agent that is ahead of the hub by more is heard no further: a stop then has little left to wait for. */
const MOST_BEHIND = 32

interface OutboxParts {
  hub: Pick<ConversationHub, 'post'>
  state: UiState
  next(act: () => Promise<unknown>): void
  report(error: unknown): void
}

/** Sends the posts of one turn, in order. A plan that another one overtakes before it was sent is not sent at all. */
export function createOutbox({ hub, state, next, report }: OutboxParts) {
  let isSending = false
  let underway: Post | undefined
  let waiting: PromiseWithResolvers<void> | undefined
  if (state.outbox.length > 0) send()
  return { add, behind }

  function add(post: Post) {
    if (isPlan(post)) state.outbox = state.outbox.filter((other) => other === underway || !isPlan(other))
    state.outbox.push(post)
    send()
  }

  /** Something to wait for before more is said. */
  function behind(): Promise<void> | undefined {
    if (state.outbox.length <= MOST_BEHIND) return undefined
    waiting ??= Promise.withResolvers()
    return waiting.promise
  }

  function send() {
    if (isSending) return
    isSending = true
    next(async () => {
      try {
        await sendAll()
      } finally {
        isSending = false
      }
    })
  }

  async function sendAll() {
    for (underway = state.outbox[0]; underway; underway = state.outbox[0]) {
      // A post that the hub refuses would not be taken later either.
      await hub.post(underway).catch(ifRefused(report, 'refused_by_hub'))
      state.outbox.shift()
      if (state.outbox.length > MOST_BEHIND) continue
      waiting?.resolve()
      waiting = undefined
    }
  }
}

function isPlan({ input }: Post): boolean {
  return input.type === 'plan'
}
