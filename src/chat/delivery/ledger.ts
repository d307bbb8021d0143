import type { Agent } from '../../protocol/entries/agent.ts'
import { BEFORE_ALL, type Receipt } from '../../protocol/entries/entry.ts'
import type { ConversationState } from '../../protocol/entries/fold.ts'
import type { Carried, DeliveredIds } from '../../protocol/frames/delivered-ids.ts'
import { bodies, type Proposed } from '../conversation/decision.ts'
import type { Rooms } from '../conversation/rooms.ts'
import { covers, isEmpty, isSame, together } from './contents.ts'
import type { Contents, Given } from './undelivered.ts'

export type Ledger = ReturnType<typeof createLedger>
export type Account = ReturnType<Ledger['account']>

/** What one call brings. It is `proving` while the log is told that it was read. */
interface Offer {
  contents: Contents
  state: 'offered' | 'arrived' | 'proving' | 'read'
  takeBackNote(): void
  /** From now on other answers may take what it tells of calls. */
  letGo(): void
}

/** Things that a call has in hand: replies that it waits for, or what was said in a conversation. */
interface InHand {
  questions?: string[]
  conversation?: string
  isWaiting: boolean
  /** Set where somebody waits until it is known whether it reached the agent. */
  known?: PromiseWithResolvers<void>
}

interface AccountParts {
  conversation: string
  whose: Agent
  /** The part of what an agent says it got that it can have got. */
  recognise(conversation: string, told: Contents): Promise<Contents>
}

interface LedgerParts {
  rooms: Pick<Rooms, 'append'>
  report(error: unknown): void
}

const NOTHING: Given = { replies: [] }
/** A line shows what came with its last answers, and has few calls at once. */
const MOST_READ = 32

/**
 * The one place that knows who has got what, beyond what the log says: offered, arrived, read; and what calls wait for.
 */
export function createLedger({ rooms, report }: LedgerParts) {
  const inHand = new Set<InHand>()
  /** Deliveries that are not noted yet. */
  const soon = new Set<Receipt>()
  /** Messages about calls, by the answers that take them along. */
  const carried = new Set<string[]>()
  return { account, isAwaited, onceKnown, isNoted, overtake, carry, isCarried }

  /**
   * The account of one agent. Contents that are offered to one call are not offered to another, until they came back.
   */
  function account({ conversation, whose: { asker, visit }, recognise }: AccountParts) {
    let offers: Offer[] = []
    /** Nothing that the agent may have from before is told until that is known. */
    let remembering: Promise<unknown> | undefined
    return { hold, offer, isCarried, given, proving, prove, remember, remembered: () => remembering }

    function offer(contents: Contents): Carried {
      if (isEmpty(contents)) return { arrived() {}, returned() {}, missed() {} }
      const one: Offer = { contents, state: 'offered', takeBackNote() {}, letGo: carry(contents.messages) }
      offers.push(one)
      const { messages: _, ...named } = contents
      return {
        deliveredIds: { conversation, ...named },
        // This counts also when it came back before: a client may fetch later what it missed.
        arrived: () => arrive(one),
        returned() {
          if (one.state !== 'offered') return
          drop(one)
          one.letGo()
        },
        missed() {
          if (one.state !== 'arrived' || !offers.includes(one)) return
          drop(one)
          one.takeBackNote()
        },
      }
    }

    function arrive(one: Offer) {
      if (one.state !== 'offered') return
      drop(one)
      offers.push(one)
      one.state = 'arrived'
      one.takeBackNote = noteSoon(conversation, receipt('delivered', [one]))
      one.letGo()
    }

    function drop(one: Offer) {
      offers = offers.filter((other) => other !== one)
    }

    /**
     * Counts as arrived what the agent's line says it got: from this hub, which did not hear of it then, or from one
     * that is gone.
     */
    function remember({ conversation: _, ...told }: DeliveredIds) {
      const same = offers.filter(({ contents }) => isSame(contents, told))
      const known = same.find(({ state }) => state === 'offered') ?? same[0]
      if (known) return arrive(known)
      const recognised = recognise(conversation, told).then((contents) => {
        if (!isEmpty(contents)) arrive({ contents, state: 'offered', takeBackNote() {}, letGo() {} })
      })
      const all = Promise.allSettled([remembering, recognised]).then(() => {
        if (remembering === all) remembering = undefined
      })
      remembering = all
    }

    function given(): Given {
      const all = offers.filter(({ state }) => state !== 'read')
      if (all.length === 0) return NOTHING
      const onTheirWay = all.filter(({ state }) => state === 'offered').map(({ contents }) => contents)
      const { messages_to, ahead = [], replies, replies_to, stop } = together(all)
      return {
        ...{ messages_to, ahead, replies, replies_to, stop },
        heard: together(all.filter(({ state }) => state !== 'offered')).stop,
        busy: onTheirWay.some(({ messages_to, replies_to }) => (messages_to ?? replies_to) !== undefined),
      }
    }

    /** That there is another call proves that what arrived before it was read, once the hub knows of it. */
    async function proving<Result>(tell: (read: Receipt | undefined) => Promise<Result>): Promise<Result> {
      // Nothing is awaited that need not be, so that calls keep their order.
      if (remembering) await remembering
      if (!offers.some(isArrived)) return tell(undefined)
      const read = offers.filter(isArrived)
      become('proving')
      let result: Result
      try {
        result = await tell(receipt('read', read))
      } catch (error) {
        become('arrived')
        throw error
      }
      become('read')
      const old = offers.filter(({ state }) => state === 'read').slice(0, -MOST_READ)
      offers = offers.filter((one) => !old.includes(one))
      return result

      function become(state: Offer['state']) {
        for (const one of read) one.state = state
      }
    }

    /** Pending only while there is something to note. */
    function prove(): Promise<unknown> | undefined {
      if (!remembering && !offers.some(isArrived)) return undefined
      return proving(async (read) => read && note(conversation, read))
    }

    function receipt(state: Receipt['state'], all: Offer[]): Receipt {
      return { kind: 'receipt', state, ...together(all), asker, visit }
    }
  }

  /** The call has them in hand while the work goes on, and until it is known what became of what that brings. */
  async function hold<Brought extends Carried>(
    held: Pick<InHand, 'questions' | 'conversation'>,
    work: () => Promise<Brought>,
    isOver: (brought: Brought) => boolean = () => false,
  ): Promise<Brought> {
    const call: InHand = { ...held, isWaiting: true }
    inHand.add(call)
    try {
      const brought = await work()
      if (isOver(brought)) {
        isKnown()
        return brought
      }
      return {
        ...brought,
        arrived() {
          brought.arrived()
          isKnown()
        },
        returned() {
          brought.returned()
          isKnown()
        },
      }
    } catch (error) {
      isKnown()
      throw error
    } finally {
      call.isWaiting = false
    }

    function isKnown() {
      inHand.delete(call)
      call.known?.resolve()
    }
  }

  /** A call waits for it: its reply is that call's, and nobody's earlier message. */
  function isAwaited(question: string): boolean {
    return [...inHand].some(({ questions, isWaiting }) => isWaiting && questions?.includes(question))
  }

  /** Resolves once it is known, for all calls that have it in hand, whether it reached their agents. */
  async function onceKnown(what: { question: string } | { conversation: string }): Promise<void> {
    const isMeant = ({ questions, conversation }: InHand) =>
      'question' in what ? questions?.includes(what.question) : conversation === what.conversation
    for (let call = [...inHand].find(isMeant); call; call = [...inHand].find(isMeant)) {
      call.known ??= Promise.withResolvers()
      await call.known.promise
    }
  }

  /** Until what is returned is called, no other answer takes these messages about calls along. */
  function carry(messages: string[] = []): () => void {
    if (messages.length > 0) carried.add(messages)
    return () => void carried.delete(messages)
  }

  /** It is on its way to its caller, or has arrived and is about to be noted. */
  function isCarried(message: string): boolean {
    return [...carried, ...Array.from(soon, ({ messages = [] }) => messages)].some((all) => all.includes(message))
  }

  /** Resolves when it is kept. */
  async function note(conversation: string, read: Receipt) {
    overtake(read)
    await rooms.append(conversation, (state) => receiptIn(state, read))
  }

  /** The returned function takes it back until it is kept. */
  function noteSoon(conversation: string, delivered: Receipt): () => void {
    soon.add(delivered)
    const takeBack = () => soon.delete(delivered)
    const decide = (state: ConversationState) => (soon.has(delivered) ? receiptIn(state, delivered) : [])
    // Nobody waits for it: what is not noted is handed over again.
    rooms.append(conversation, decide, { soon: true }).catch(report).finally(takeBack)
    return takeBack
  }

  /** Messages that are read by now need not be reported as delivered. */
  function overtake(read: Receipt) {
    for (const late of soon) if (covers(read, late)) soon.delete(late)
  }

  /** Whether a reply is in what is said to be read, or is about to be noted. */
  function isNoted(reply: string, read?: Receipt): boolean {
    return [read, ...soon].some((receipt) => receipt?.replies?.includes(reply))
  }
}

function isArrived({ state }: Offer): boolean {
  return state === 'arrived'
}

/** A receipt does not begin a conversation again that was forgotten meanwhile. */
export function receiptIn({ last }: ConversationState, receipt: Receipt): Proposed[] {
  return last === BEFORE_ALL ? [] : bodies(receipt)
}
