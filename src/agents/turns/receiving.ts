import type { ConversationHub } from '../hub.ts'
import type { Store } from '../store.ts'

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
    const answers = await Promise.all(texts.map(answerFor))
    const ids = new Set(texts.map(({ id }) => id))
    const received = () => store.toGive(conversation).filter(({ id }) => ids.has(id))
    await store.patiently(() =>
      store.together(() => {
        for (const [place, text] of texts.entries()) take(text, answers[place])
        const ours = received()
        const known = new Set(ours.map(({ id }) => id))
        for (const text of ours) {
          if (isOnlyStop(text)) store.setText(text.id, 'done')
          else if (text.changes && known.has(text.changes.message)) apply(text.id, text.changes)
        }
      }),
    )
    return received()
  }

  /** Whether it is ours, and in which words. */
  async function answerFor({ id, state }: Text): Promise<Awaited<ReturnType<ConversationHub['receive']>>> {
    return state === 'received' ? { isOurs: true, revised: undefined } : hub.receive(id)
  }

  function take({ id }: Text, answer: Awaited<ReturnType<typeof answerFor>> | undefined) {
    store.setText(id, answer?.isOurs ? 'received' : 'done')
    const { text, changes } = answer?.revised ?? {}
    if (text !== undefined) store.reword(id, { text, changes })
  }

  /** A change of what the agent was not given either is no text of its own. */
  function apply(id: string, { message, text }: NonNullable<Text['changes']>) {
    if (text === undefined) store.setText(message, 'done')
    else store.reword(message, { text })
    store.setText(id, 'done')
  }
}

/** The person wants the agent to stop, and says nothing besides. */
export function isOnlyStop({ stop, text }: Pick<Text, 'stop' | 'text'>): boolean {
  return stop === true && text === ''
}
