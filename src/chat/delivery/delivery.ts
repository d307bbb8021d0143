import type { Receipt, SettledEntry, Settlement } from '../../protocol/entries/entry.ts'
import { later } from '../../protocol/entries/later.ts'
import type { Slip } from '../../protocol/frames/link.ts'
import type { Reception } from './reception.ts'
import type { Contents, Given, Undelivered } from './undelivered.ts'

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
  /** It arrived, and its caller had cancelled the call by then: unless a later call has proven it, it comes again. */
  missed(): void
}

export interface Taking {
  settled?: SettledEntry[]
  open?: string[]
  signal?: AbortSignal
  /** The answer has room for the outcome alone. */
  alone?: boolean
  /** Why the call was refused. */
  stops?: string[]
}

/** A line shows what came with its last answers, and has few calls at once. */
const MOST_PROVEN = 32

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
  /** Each with what says that it arrived. */
  const onTheWay = new Map<Contents, () => void>()
  let unproven: Contents[] = []
  /** Lately: a line that comes again shows it once more. */
  let proven: Contents[] = []
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

  async function fill({ settled = [], open = [], signal, alone, stops }: Taking): Promise<Parcel> {
    // A call that is repeated may find its reply there, which is then no other call's.
    await Promise.all([...asked, remembering])
    const withdrawn = settled.find(({ body }) => body.outcome === 'withdrawn')
    const isKnown = reception.carries(conversation)
    try {
      const { contents, earlier, interrupted } = await reception.unread(conversation, given(), {
        alone,
        withdrawn,
        stops,
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
  function sent(contents: Contents): Pick<Parcel, 'arrived' | 'returned' | 'missed' | 'slip'> {
    if (isEmpty(contents)) return { arrived() {}, returned() {}, missed() {} }
    let isHere = false
    let takeBackNote = () => {}
    taken.add(contents)
    onTheWay.set(contents, arrived)
    return { arrived, returned, missed, slip: slipOf(contents) }

    function arrived() {
      if (isHere) return
      isHere = true
      onTheWay.delete(contents)
      takeBackNote = hasArrived(contents)
    }

    function returned() {
      if (isHere) return
      onTheWay.delete(contents)
      taken.delete(contents)
    }

    function missed() {
      if (!unproven.includes(contents)) return
      unproven = unproven.filter((other) => other !== contents)
      taken.delete(contents)
      takeBackNote()
    }
  }

  function slipOf({ messages: _, ...contents }: Contents): Slip {
    return { conversation, ...contents }
  }

  /** What is returned takes the note of it back, as long as that is not kept. */
  function hasArrived(contents: Contents): () => void {
    // Also when it came back before: a client may fetch later what it missed.
    taken.add(contents)
    unproven.push(contents)
    // Nobody waits for it: what is not noted is handed over again.
    return reception.noteSoon(conversation, receipt('delivered', [contents]))
  }

  /** What arrived as its line tells: from this hub, which did not hear of it then, or from one that is gone. */
  function remember({ conversation: _, ...told }: Slip) {
    const isTold = (contents: Contents) => isSame(contents, told)
    const onItsWay = [...onTheWay].find(([contents]) => isTold(contents))
    if (onItsWay) return onItsWay[1]()
    if ([...taken, ...proven].some(isTold)) return
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
      ahead: all.flatMap(({ ahead = [] }) => ahead),
      replies: all.flatMap(({ replies }) => replies),
      replies_to: known(all.map(({ replies_to }) => replies_to)),
      stop: known(all.map(({ stop }) => stop)),
      heard: known(all.filter((one) => !onTheWay.has(one)).map(({ stop }) => stop)),
      awaited: [...awaited],
      busy: [...onTheWay.keys()].some(({ messages_to, replies_to }) => (messages_to ?? replies_to) !== undefined),
    }
  }

  /** That there is another call proves that what arrived before it was read, once the hub knows of it. */
  async function proving<Result>(tell: (read: Receipt | undefined) => Promise<Result>): Promise<Result> {
    // Without a detour where it can be, so that calls keep their order.
    if (remembering) await remembering
    const read = unproven
    unproven = []
    try {
      const result = await tell(read.length > 0 ? receipt('read', read) : undefined)
      // The hub itself hands none of it over any more.
      for (const contents of read) taken.delete(contents)
      proven = [...proven, ...read].slice(-MOST_PROVEN)
      return result
    } catch (error) {
      unproven = [...read, ...unproven]
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

function isSame(one: Contents, other: Contents): boolean {
  return (
    one.messages_to === other.messages_to &&
    one.replies_to === other.replies_to &&
    one.stop === other.stop &&
    one.replies.join() === other.replies.join() &&
    (one.ahead ?? []).join() === (other.ahead ?? []).join()
  )
}

function receipt(state: Receipt['state'], all: Contents[]): Receipt {
  const messages = all.flatMap(({ messages = [] }) => messages)
  const ahead = all.flatMap(({ ahead = [] }) => ahead)
  return {
    kind: 'receipt',
    state,
    messages_to: known(all.map(({ messages_to }) => messages_to)),
    ...(messages.length > 0 && { messages }),
    ...(ahead.length > 0 && { ahead }),
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
