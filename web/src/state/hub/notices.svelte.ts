import type { TimelineFrame } from '../../../../src/protocol/frames/timeline.ts'
import type { Talk } from '../conversation/talk.svelte.ts'

type Frame<Type extends TimelineFrame['type']> = Extract<TimelineFrame, { type: Type }>

/** What the hub says about itself: its rules, and why it cannot work. */
export class Notices {
  policy = $state.raw<Frame<'policy'>>()
  trouble = $state<string>()

  take(frame: Frame<'policy' | 'trouble'>, talks: Pick<Talk, 'problem'>[]) {
    if (frame.type === 'policy') this.policy = frame
    else this.#change(frame.reason, talks)
  }

  /** What was refused for it in a conversation says the same, and is over together with it. */
  #change(reason: string | undefined, talks: Pick<Talk, 'problem'>[]) {
    const { trouble } = this
    this.trouble = reason
    if (trouble !== undefined) for (const talk of talks) if (talk.problem === trouble) talk.problem = reason
  }
}
