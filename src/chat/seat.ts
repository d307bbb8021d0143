import type { Deed, Title } from '../protocol/entry.ts'
import { ParleyError } from '../protocol/errors.ts'
import type { Clock } from './clock.ts'
import { createDelivery, type Parcel } from './delivery.ts'
import type { Asking, Reception } from './reception.ts'

export type Seat = ReturnType<typeof takeSeat>

/** A question as an agent puts it; a key, if it has one, makes it the same question when it is put again. */
export type Putting = Omit<Asking, 'key'> & { key?: string }

export interface Wait {
  signal: AbortSignal
  /** After this long the call comes back without an outcome; the questions stay open. */
  waitMs?: number
  /** The answer has room for the outcome alone, and nobody can use one that comes later: then it is withdrawn. */
  alone?: boolean
}

export interface SeatParts {
  reception: Reception
  clock: Clock
  newKey(): string
  conversation: string
  title: string
}

/**
 * An agent's place in a conversation: asks, tells, and takes what there is for the agent. It knows nothing that only one
 * hub knows, so that it can go on with the next.
 */
export function takeSeat({ reception, clock, newKey, conversation, title }: SeatParts) {
  const present = reception.enter(conversation)
  const delivery = createDelivery({ reception, conversation })
  let waiting = 0
  let usedAt = clock.now()
  return { conversation, ask, resume, messages, tell, idleMs, close: present.leave }

  async function ask(questions: Putting[], wait: Wait): Promise<Parcel> {
    return asking(async () => {
      const keyed = questions.map((question) => ({ ...question, key: question.key ?? newKey() }))
      const asked = await delivery.proving((read) =>
        reception.ask(conversation, keyed, { title, given: delivery.given(), read }),
      )
      return asked ? waitFor(asked, wait) : delivery.take({ signal: wait.signal, alone: wait.alone })
    })
  }

  /** Waits again for questions that were asked before, or brings the replies they got meanwhile. */
  async function resume(questions: string[], wait: Wait): Promise<Parcel> {
    return asking(async () => {
      await prove()
      return waitFor(questions, wait)
    })
  }

  /** What the person said while nobody listened, without waiting for more. */
  async function messages(): Promise<Parcel> {
    await prove()
    usedAt = clock.now()
    return delivery.take({})
  }

  /** Tells what the agent does or how the conversation is called, and brings what the person said meanwhile. */
  async function tell(body: Deed | Title): Promise<Parcel> {
    await reception.tell(conversation, body, { title, key: newKey() })
    return messages()
  }

  /** How long the agent has not called. Waiting is not idle. */
  function idleMs(): number {
    return waiting > 0 ? 0 : clock.now() - usedAt
  }

  async function prove() {
    await delivery.proving(async (read) => read && reception.note(conversation, read))
  }

  async function asking(work: () => Promise<Parcel>): Promise<Parcel> {
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

  /** A hub that closes leaves the questions as they are, as long as somebody can use their outcome. */
  async function waitFor(questions: string[], wait: Wait): Promise<Parcel> {
    try {
      return await outcomesOf(questions, wait)
    } catch (error) {
      if (!(error instanceof ParleyError && error.code === 'shutting_down')) throw error
      throw new ParleyError('come_back', { question: questions.join('", then "') }, error)
    }
  }

  async function outcomesOf(questions: string[], { signal, waitMs, alone }: Wait): Promise<Parcel> {
    const limit = waitMs === undefined ? undefined : limited(signal, waitMs)
    try {
      return await delivery.awaiting(questions, async () => {
        const outcome = (question: string) => reception.outcome(question, limit?.signal ?? signal)
        const settled = await Promise.all(questions.map(outcome))
        return delivery.take({ settled, signal, alone })
      })
    } catch (error) {
      if (!limit?.ranOut()) {
        // Whatever becomes of it, the caller is told what ended the wait.
        if (alone) await Promise.allSettled([reception.withdraw(questions)])
        throw error
      }
    } finally {
      limit?.cancel()
    }
    const open = await reception.stillOpen(questions)
    // The last answer may have come in the same moment, and then it counts.
    return open.length === 0 ? outcomesOf(questions, { signal, alone }) : delivery.take({ open, signal })
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
}
