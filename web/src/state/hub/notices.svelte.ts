import type { TimelineFrame } from '../../../../src/protocol/frames/timeline.ts'
import type { Conversation } from '../conversation/conversation.svelte.ts'

type Frame<Type extends TimelineFrame['type']> = Extract<TimelineFrame, { type: Type }>

/** The hub's news about itself: its rules, and why it cannot work. */
export class Notices {
  policy = $state.raw<Frame<'policy'>>()
  trouble = $state<string>()

  take(frame: Frame<'policy' | 'trouble'>, conversations: Pick<Conversation, 'problem'>[]) {
    if (frame.type === 'policy') this.policy = frame
    else this.#change(frame.reason, conversations)
  }

  /** A refusal because of it in a conversation says the same, and is over together with it. */
  #change(reason: string | undefined, conversations: Pick<Conversation, 'problem'>[]) {
    const { trouble } = this
    this.trouble = reason
    if (trouble !== undefined)
      for (const conversation of conversations) if (conversation.problem === trouble) conversation.problem = reason
  }
}
