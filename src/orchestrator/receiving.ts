import type { ConversationHub } from './hub.ts'
import type { Store, Text } from './store.ts'
import { isOnlyStop } from './user-text.ts'

interface ReceivingParts {
  conversation: string
  store: Store
  hub: ConversationHub
}

/** Of what waits, that which nobody had before and which still says something. */
export async function receiveTexts({ conversation, store, hub }: ReceivingParts): Promise<Text[]> {
  const texts = store.toGive(conversation)
  const ours = await Promise.all(texts.map(({ id, state }) => state === 'received' || hub.receive(id, 'text')))
  const received = texts.filter((_, place) => ours[place])
  // As they are now: up to this moment they could be changed and taken back.
  const now = new Map(store.toGive(conversation).map((text) => [text.id, text]))
  store.together(() => {
    for (const text of texts) {
      const kept = received.includes(text) && now.has(text.id) && !isOnlyStop(text)
      store.setText(text.id, kept ? 'received' : 'done')
    }
  })
  return received.flatMap(({ id }) => now.get(id) ?? []).filter((text) => !isOnlyStop(text))
}
