import type { ConversationHub } from './hub.ts'
import type { Store } from './store.ts'

export type Receive = ReturnType<typeof createReceiving>
export type Text = ReturnType<Store['toGive']>[number]

interface ReceivingParts {
  conversation: string
  store: Store
  hub: ConversationHub
}

/** Takes what waits in a conversation: what nobody had before, and what still says something. */
export function createReceiving({ conversation, store, hub }: ReceivingParts) {
  return receive

  async function receive(isOthers: (text: Text) => boolean = () => false): Promise<Text[]> {
    const texts = store.toGive(conversation).filter((text) => !isOthers(text))
    const ours = await Promise.all(texts.map(isOurs))
    // As they are now: up to this moment they could be changed and taken back.
    const now = new Map(store.toGive(conversation).map((text) => [text.id, text]))
    const received = texts.flatMap(({ id }, place) => (ours[place] ? (now.get(id) ?? []) : []))
    const kept = received.filter((text) => !isOnlyStop(text))
    store.together(() => {
      for (const { id } of texts) store.setText(id, kept.some((text) => text.id === id) ? 'received' : 'done')
    })
    return kept
  }

  async function isOurs({ id, state }: Text): Promise<boolean> {
    if (state === 'received') return true
    const { isOurs, revised } = await hub.receive(id)
    // The event that says so may come later.
    if (revised) store.revise(id, revised.text)
    return isOurs
  }
}

/** The person wants the agent to stop, and says nothing besides. */
export function isOnlyStop({ stop, text }: Pick<Text, 'stop' | 'text'>): boolean {
  return stop === true && text === ''
}
