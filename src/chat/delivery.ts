import type { Receipt, SettledEntry, Settlement } from '../protocol/entry.ts'
import type { Slip } from '../protocol/link.ts'
import { later } from './later.ts'
import type { Reception } from './reception.ts'
import type { Contents, Given, Undelivered } from './undelivered.ts'

export type Delivery = ReturnType<typeof createDelivery>

export type EarlierMessage = Omit<Undelivered, 'id'>

/** What one call brings its agent. It has arrived or it came back; the transport of the call says which. */
export interface Parcel {
  /** In the order of the questions; none when the time ran out or the person wants the agent to stop. */
  settlements: Settlement[]
  /** The questions that had no outcome when the time ran out. */
  open: string[]
  /** What the person wants instead. */
  interrupted?: string
  /** What the person said while nobody listened. */
  earlier: EarlierMessage[]
  /** What is in it, for the next hub, if it holds anything. */
  slip?: Slip
  /** The bytes were written, and the caller was still there. */
  arrived(): void
  /** It never left, or nobody was there: what is in it comes with another call. */
  returned(): void
}

export interface Taking {
  settled?: SettledEntry[]
  open?: string[]
  signal?: AbortSignal
  /** The answer has room for the outcome alone. */
  alone?: boolean
}

interface DeliveryParts {
  reception: Reception
  conversation: string
  /** What the agent calls itself, as far as it is known. */
  agent(): string | undefined
}

/**
 * Keeps count of what has reached one agent. What is taken for one call is not taken for another, until it came back;
 * what has arrived counts as delivered, and as read when the next call proves it.
 */
export function createDelivery({ reception, conversation, agent }: DeliveryParts) {
  /** On its way, or arrived and not proven. */
  const taken = new Set<Contents>()
  const onTheWay = new Set<Contents>()
  let unproven: Contents[] = []
  /** Each as often as calls wait for it: one that is cancelled leaves the reply to the others. */
  const awaited: string[] = []
  let taking: Promise<unknown> = Promise.resolve()
  /** Until what the agent has from before is known, nothing is told that it may have. */
  let remembering: Promise<unknown> | undefined
  /** One for each call whose questions are not known yet. */
  const asked = new Set<Promise<void>>()
  return { take, asking, awaiting, given, proving, remember }

  /** One after the other: what one call brings along the next one must not. */
  function take(wanted: Taking): Promise<Parcel> {
    const parcel = taking.then(() => fill(wanted))
    // Its own call gets the error; the next one only waits for its turn.
    taking = parcel.then(done, done)
    return parcel
  }

  async function fill({ settled = [], open = [], signal, alone }: Taking): Promise<Parcel> {
    // A call that is repeated may find its reply there, which is then no other call's.
    await Promise.all([...asked, remembering])
    const withdrawn = settled.find(({ body }) => body.outcome === 'withdrawn')?.id
    const isKnown = reception.carries(conversation)
    try {
      const { contents, earlier, interrupted } = await reception.unread(conversation, given(), {
        alone,
        withdrawn,
        agent: agent(),
      })
      signal?.throwIfAborted()
      // An agent that is told to stop is told nothing else; the replies come with its next call.
      const own = interrupted === undefined ? settled.filter(({ body }) => body.reply !== undefined) : []
      const replies = [...contents.replies, ...own.map(({ id }) => id)]
      const parcel = {
        settlements: settled.map(({ body }) => body),
        open,
        interrupted,
        earlier: earlier.map(({ id: _, ...message }) => message),
        ...sent({ ...contents, replies }),
      }
      if (earlier.length === 0) isKnown()
      return told(parcel, isKnown)
    } catch (error) {
      isKnown()
      throw error
    }
  }

  /** Holds it until it has arrived or came back. */
  function sent(contents: Contents): Pick<Parcel, 'arrived' | 'returned' | 'slip'> {
    if (isEmpty(contents)) return { arrived() {}, returned() {} }
    let isHere = false
    taken.add(contents)
    onTheWay.add(contents)
    return { arrived, returned, slip: { conversation, ...contents } }

    function arrived() {
      if (isHere) return
      isHere = true
      onTheWay.delete(contents)
      hasArrived(contents)
    }

    function returned() {
      if (isHere) return
      onTheWay.delete(contents)
      taken.delete(contents)
    }
  }

  function hasArrived(contents: Contents) {
    // Also when it came back before: a client may fetch later what it missed.
    taken.add(contents)
    unproven.push(contents)
    // Nobody waits for it: what is not noted is handed over again.
    reception.note(conversation, receipt('delivered', [contents])).then(done, done)
  }

  /** What arrived from a hub that is gone, as its agent has it. */
  function remember({ conversation: _, ...told }: Slip) {
    const recognised = reception.recognise(conversation, told).then(hasArrived)
    const all = Promise.allSettled([remembering, recognised]).then(() => {
      if (remembering === all) remembering = undefined
    })
    remembering = all
  }

  /** A call asks; until what it returns is called, nobody knows which replies are that call's own. */
  function asking(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>()
    asked.add(promise)
    return () => {
      asked.delete(promise)
      resolve()
    }
  }

  /** While the work goes on, the replies to these questions are nobody's earlier messages. */
  async function awaiting(questions: string[], work: () => Promise<Parcel>): Promise<Parcel> {
    const isKnown = reception.expects(questions)
    awaited.push(...questions)
    try {
      return told(await work(), isKnown)
    } catch (error) {
      isKnown()
      throw error
    } finally {
      for (const question of questions) awaited.splice(awaited.indexOf(question), 1)
    }
  }

  function given(): Given {
    const all = [...taken]
    return {
      messages_to: known(all.map(({ messages_to }) => messages_to)),
      replies: all.flatMap(({ replies }) => replies),
      replies_to: known(all.map(({ replies_to }) => replies_to)),
      stop: known(all.map(({ stop }) => stop)),
      awaited: [...awaited],
      busy: [...onTheWay].some(({ messages_to, replies_to }) => (messages_to ?? replies_to) !== undefined),
    }
  }

  /** That there is another call proves that what arrived before it was read, once the hub knows of it. */
  async function proving<Result>(tell: (read: Receipt | undefined) => Promise<Result>): Promise<Result> {
    // Without a detour where it can be, so that calls keep their order.
    if (remembering) await remembering
    const proven = unproven
    unproven = []
    try {
      const result = await tell(proven.length > 0 ? receipt('read', proven) : undefined)
      // The hub itself hands none of it over any more.
      for (const contents of proven) taken.delete(contents)
      return result
    } catch (error) {
      unproven = [...proven, ...unproven]
      throw error
    }
  }
}

/** Also tells when it is known what became of it. */
function told(parcel: Parcel, isKnown: () => void): Parcel {
  return {
    ...parcel,
    arrived() {
      parcel.arrived()
      isKnown()
    },
    returned() {
      parcel.returned()
      isKnown()
    },
  }
}

function receipt(state: Receipt['state'], all: Contents[]): Receipt {
  return {
    kind: 'receipt',
    state,
    messages_to: known(all.map(({ messages_to }) => messages_to)),
    replies: all.flatMap(({ replies }) => replies),
    replies_to: known(all.map(({ replies_to }) => replies_to)),
    stop: known(all.map(({ stop }) => stop)),
  }
}

function known(ids: (string | undefined)[]): string | undefined {
  return ids.some((id) => id !== undefined) ? later(...ids) : undefined
}

function isEmpty({ messages_to, replies, replies_to, stop }: Contents): boolean {
  return replies.length === 0 && (messages_to ?? replies_to ?? stop) === undefined
}

function done() {}
