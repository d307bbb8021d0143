import type { Deed, Receipt, SettledEntry, Settlement, Title } from '../protocol/entry.ts'
import { ParleyError } from '../protocol/errors.ts'
import type { Clock } from './clock.ts'
import type { Asking, SeatHost, Undelivered } from './seat-host.ts'

export type Seat = ReturnType<typeof takeSeat>

/** What a call brings back: how its questions ended, and what the person said while nobody listened. */
export interface Outcome {
  /** In the order of the questions; none when the time ran out or the person wants the agent to stop. */
  settlements: Settlement[]
  /** The questions that had no outcome when the time ran out. */
  open: string[]
  /** What the person wants instead. */
  interrupted?: string
  earlier: EarlierMessage[]
}

export type EarlierMessage = Omit<Undelivered, 'id'>

/** A question as an agent puts it; a key, if it has one, makes it the same question when it is put again. */
export type Putting = Omit<Asking, 'key'> & { key?: string }

export interface Wait {
  signal: AbortSignal
  /** After this long the call comes back without an outcome; the questions stay open. */
  waitMs?: number
  /** What comes back then is an error, and brings nothing along. */
  strict?: boolean
  /** The answer has room for the outcome alone. */
  alone?: boolean
}

export interface SeatParts {
  host: SeatHost
  clock: Clock
  newKey(): string
  conversation: string
  title: string
  /** The agent may see this conversation only. */
  bound?: boolean
}

interface HandedOver {
  messages_to?: string
  replies: string[]
}

/**
 * An agent's place in a conversation: asks, and keeps count of what has reached the agent. It knows nothing that only
 * one hub knows, so that it can go on with the next.
 */
export function takeSeat({ host, clock, newKey, conversation, title, bound }: SeatParts) {
  const present = host.enter(conversation)
  const given = new Set<string>()
  /** Each as often as calls wait for it: one that is cancelled leaves the reply to the others. */
  const awaited: string[] = []
  let handing: Promise<unknown> = Promise.resolve()
  let givenTo: string | undefined
  let unproven: HandedOver[] = []
  let waiting = 0
  let usedAt = clock.now()
  return { conversation, ask, resume, messages, tell, idleMs, close: present.leave }

  async function ask(questions: Putting[], wait: Wait): Promise<Outcome> {
    return asking(async () => {
      const keyed = questions.map((question) => ({ ...question, key: question.key ?? newKey() }))
      const asked = await proving((read) => host.ask(conversation, keyed, { title, given: { ...whatIsGiven(), read } }))
      return asked ? waitFor(asked, wait) : handOver([])
    })
  }

  /** Waits again for questions that were asked before, or brings the replies they got meanwhile. */
  async function resume(questions: string[], wait: Wait): Promise<Outcome> {
    return asking(async () => {
      await prove()
      for (const question of questions)
        if (bound && (await host.conversationOf(question)) !== conversation)
          throw new ParleyError('unknown_question', { question })
      return waitFor(questions, wait)
    })
  }

  /** What the person said while nobody listened, without waiting for more. */
  async function messages(): Promise<Outcome> {
    await prove()
    usedAt = clock.now()
    return handOver([])
  }

  /** Tells what the agent does or how the conversation is called, and brings what the person said meanwhile. */
  async function tell(body: Deed | Title): Promise<Outcome> {
    await host.tell(conversation, body, { title, key: newKey() })
    return messages()
  }

  /** How long the agent has not called. Waiting is not idle. */
  function idleMs(): number {
    return waiting > 0 ? 0 : clock.now() - usedAt
  }

  async function asking(work: () => Promise<Outcome>): Promise<Outcome> {
    waiting++
    present.asks()
    try {
      return await work()
    } finally {
      waiting--
      usedAt = clock.now()
      present.gotAnswer()
    }
  }

  async function waitFor(questions: string[], wait: Wait): Promise<Outcome> {
    const { signal, waitMs, strict, alone } = wait
    const limit = waitMs === undefined ? undefined : limited(signal, waitMs)
    awaited.push(...questions)
    try {
      const settled = await Promise.all(questions.map((question) => host.outcome(question, limit?.signal ?? signal)))
      return await handOver(settled, wait)
    } catch (error) {
      if (error instanceof ParleyError && error.code === 'shutting_down')
        throw new ParleyError('come_back', { question: questions.join('", then "') }, error)
      if (!limit?.ranOut()) throw error
      const open = await host.stillOpen(questions)
      // The last answer may have come in the same moment, and then it counts.
      if (open.length === 0) return waitFor(questions, { signal, alone })
      if (strict || alone) return { settlements: [], open, earlier: [] }
      return { ...(await handOver([])), open }
    } finally {
      limit?.cancel()
      for (const question of questions) awaited.splice(awaited.indexOf(question), 1)
    }
  }

  function limited(signal: AbortSignal, waitMs: number) {
    const time = new AbortController()
    const { cancel } = clock.alarm(clock.now() + waitMs, () => time.abort())
    return {
      signal: AbortSignal.any([signal, time.signal]),
      ranOut: () => time.signal.aborted && !signal.aborted,
      cancel,
    }
  }

  /** One after the other: what one call brings along the next one must not. */
  function handOver(settled: SettledEntry[], wait?: Wait): Promise<Outcome> {
    const outcome = handing.then(() => gather(settled, wait))
    // Its own call gets the error; the next one only waits for its turn.
    handing = outcome.catch(() => {})
    return outcome
  }

  async function gather(settled: SettledEntry[], wait?: Wait): Promise<Outcome> {
    const unread = wait?.alone ? [] : await host.unread(conversation, whatIsGiven())
    wait?.signal.throwIfAborted()
    // Nothing is handed over with what is going to be an error: it would count as delivered.
    const fails = settled.length > 0 && settled.every(({ body }) => body.reply === undefined)
    const stopped = unread.some(({ interrupt }) => interrupt)
    const earlier = fails && !stopped ? [] : unread
    const messages_to = earlier.findLast((message) => !message.in_reply_to)?.id
    const late = earlier.filter((message) => message.in_reply_to)
    // An agent that is told to stop is told nothing else; the replies come with its next call.
    const replied = stopped ? [] : settled.filter(({ body }) => body.reply !== undefined)
    const replies = [...late, ...replied].map(({ id }) => id)
    for (const reply of replies) given.add(reply)
    givenTo = messages_to ?? givenTo
    deliver({ messages_to, replies })
    return {
      settlements: settled.map(({ body }) => body),
      open: [],
      interrupted: earlier.findLast(({ interrupt }) => interrupt)?.text,
      earlier: earlier.filter(({ interrupt }) => !interrupt).map(({ id: _, ...message }) => message),
    }
  }

  /** Delivered now; read only when the agent's next call shows that this result arrived. */
  function deliver(handed: HandedOver) {
    if (handed.replies.length === 0 && handed.messages_to === undefined) return
    unproven.push(handed)
    // Nobody waits for it: what is not noted is handed over again.
    host.note(conversation, receipt('delivered', [handed])).catch(() => {})
  }

  async function prove() {
    await proving(async (read) => read && host.note(conversation, read))
  }

  /** That there is another call proves that the results before it arrived, once the hub knows of it. */
  async function proving<Result>(tell: (read: Receipt | undefined) => Promise<Result>): Promise<Result> {
    const proven = unproven
    unproven = []
    const read = proven.length > 0 ? receipt('read', proven) : undefined
    try {
      const result = await tell(read)
      // Nobody hands it over any more.
      for (const reply of read?.replies ?? []) given.delete(reply)
      return result
    } catch (error) {
      unproven = [...proven, ...unproven]
      throw error
    }
  }

  function whatIsGiven() {
    return { messages_to: givenTo, replies: [...given], awaited: [...awaited] }
  }
}

function receipt(state: Receipt['state'], handed: HandedOver[]): Receipt {
  return {
    kind: 'receipt',
    state,
    messages_to: handed.findLast(({ messages_to }) => messages_to)?.messages_to,
    replies: handed.flatMap(({ replies }) => replies),
  }
}
