import { ParleyError } from '../protocol/errors.ts'
import type { DRIVING } from '../protocol/frames/driving.ts'
import { isRefusal } from '../protocol/refusal.ts'
import type { HubLink, Input, Output } from './hub-link.ts'
import type { Post } from './turns/ui-state.ts'

type Own = 'session_id' | 'holder'
/** The tools that act in a conversation that is held. */
type Held = {
  [Tool in keyof typeof DRIVING]: Own extends keyof Input<Tool> ? Tool : never
}[keyof typeof DRIVING]

/** The hub as the driver of one conversation uses it. */
export type ConversationHub = ReturnType<typeof hubFor>

interface HubParts {
  link: Pick<HubLink, 'call' | 'read'>
  conversation: string
  holder: string
  /** Called when the hub says that our lease is over; answers whether there is another one. */
  leaseEnded(): Promise<boolean>
}

export function hubFor({ link: { call, read }, conversation, holder, leaseEnded }: HubParts) {
  let isGone = false
  const notHeld = new ParleyError('not_held', { conversation }).message
  const heldByOther = new ParleyError('held_by_other', { conversation, holder: '' }).message
  return { read, call: callHeld, post, receive, end: () => (isGone = true) }

  async function callHeld<Tool extends Held>(tool: Tool, input: Omit<Input<Tool>, Own>): Promise<Output<Tool>> {
    if (isGone) throw new ParleyError('unknown_conversation', { conversation })
    const ask = () => call(tool, { session_id: conversation, holder, ...input }) as Promise<Output<Tool>>
    return ask().catch(async (error) => {
      // Such as after a long sleep. Who holds nothing is told the same once more.
      if (tool === 'hold_conversation' || !isAboutLease(error) || !(await leaseEnded())) throw error
      return ask()
    })
  }

  function isAboutLease(error: unknown): boolean {
    if (!isRefusal(error, 'refused_by_hub')) return false
    const reason = String(error.details.reason)
    return reason === notHeld || reason.startsWith(heldByOther)
  }

  async function post({ tool, input }: Post) {
    // Words in what was forgotten would begin it anew.
    if (!isGone) await call(tool, { session_id: conversation, ...input })
  }

  /** Whether it is ours, and in which words, if not in its own; asked again, it is what it was. */
  async function receive(message: string) {
    const key = `text:${message}:${holder}`
    const { received, revised = [] } = await callHeld('receive_messages', { key, messages: [message] })
    return { isOurs: received.includes(message), revised: revised.find(({ id }) => id === message) }
  }
}
