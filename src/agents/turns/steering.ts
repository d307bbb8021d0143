import { createQueue } from '../../io/queue.ts'
import type { DrivenSession } from '../driver.ts'
import type { ConversationHub } from '../hub.ts'
import type { Store } from '../store.ts'
import { promptOf } from './prompt.ts'
import type { Receive } from './receiving.ts'
import type { Telling } from './telling.ts'
import type { UiState } from './ui-state.ts'

export interface Turn {
  state: UiState
  telling: Telling
  /** Set while it works on the prompt. */
  session?: DrivenSession
  /** The agent may have the prompt. */
  isGiven: boolean
}

interface SteeringParts {
  conversation: string
  store: Store
  hub: ConversationHub
  receive: Receive
  /** The turn that runs. */
  current(): Turn | undefined
  report(error: unknown): void
}

/** Gives what was said meanwhile to the turn that runs, where it can be, one after the other. */
export function createSteering({ conversation, store, hub, receive, current, report }: SteeringParts) {
  const work = createQueue()
  return { steer, done: work.idle }

  function steer() {
    work.add(steerNow).catch(report)
  }

  async function steerNow() {
    const turn = current()
    if (!turn?.isGiven || !turn.session?.steer) return
    const { state, session, telling } = turn
    // The agent's own questions are not known until then.
    await telling.told()
    const texts = await receive(({ settles }) => telling.isAsked(settles))
    if (texts.length === 0 || current()?.session !== session) return
    const prompt = await promptOf({ texts, remind: false, conversation, hub })
    const ids = texts.map(({ id }) => id)
    // Texts that a full disk keeps from being marked are for the next turn.
    store.give(conversation, ids, { ...state, texts: [...state.texts, ...ids] })
    state.texts.push(...ids)
    if (await session.steer?.(prompt)) {
      Object.assign(state, { heard: true, steered: true })
      return store.saveUi(conversation, state)
    }
    state.texts = state.texts.filter((id) => !ids.includes(id))
    await store.patiently(() =>
      store.together(() => {
        for (const id of ids) store.setText(id, 'received')
        store.saveUi(conversation, state)
      }),
    )
  }
}
