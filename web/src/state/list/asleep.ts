import type { ConversationState } from '../../../../src/protocol/entries/fold.ts'
import type { Driven, ListedRunner } from '../../../../src/protocol/frames/driving.ts'

/** The agent of a conversation that the hub starts when somebody speaks, with what can be chosen before that. */
export function asleepIn({ wish }: ConversationState, runners: readonly ListedRunner[]): Driven | undefined {
  const runner = wish?.runner === undefined ? undefined : runners.find(({ name }) => name === wish.runner)
  if (!runner?.launched || runner.problem !== undefined) return undefined
  const { modes, models, launched } = runner
  // What is set now was told of another conversation, perhaps.
  return {
    state: launched.process === 'none' ? 'asleep' : 'idle',
    modes: modes && { ...modes, current: undefined },
    models: models && { ...models, current: undefined },
  }
}
