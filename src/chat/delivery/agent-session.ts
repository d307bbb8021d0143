import type { Clock } from '../../io/clock.ts'
import type { Deed, Title } from '../../protocol/entries/entry.ts'
import { ParleyError } from '../../protocol/errors.ts'
import { ifRefused } from '../../protocol/refusal.ts'
import { StillOpen } from '../questions/waiters.ts'
import type { AgentService, Asking } from './agent-service.ts'
import { createDeliveries, type Delivery } from './deliveries.ts'

export type AgentSession = ReturnType<typeof openAgentSession>

/** A question as an agent puts it; a key, if it has one, makes it the same question when it is put again. */
export type Putting = Omit<Asking, 'key'> & { key?: string }

export interface Wait {
  signal: AbortSignal
  /** The call comes back after this long without an outcome; the questions stay open. */
  waitMs?: number
  /** The answer has room for the outcome alone, and nobody can use one that comes later: then it is withdrawn. */
  alone?: boolean
  /** Whether it ended with its connection: its agent may make it again, until it is back or gone. */
  isCutOff?(): boolean
}

export interface AgentSessionParts {
  agentService: AgentService
  clock: Clock
  newKey(): string
  conversation: string
  title: string
  /** The folder in which its agent works. */
  folder?: string
  /** See `Entering`. */
  byRequests?: boolean
}

/** An agent's place in a conversation: asks, tells, and takes what there is for the agent. */
export function openAgentSession({
  agentService,
  clock,
  newKey,
  conversation,
  title,
  folder,
  byRequests,
}: AgentSessionParts) {
  /** The agent's own name, once it has called. */
  let agent: string | undefined
  const present = agentService.enter(conversation, { byRequests }, () => agent)
  const account = agentService.account(conversation)
  const deliveries = createDeliveries({ agentService, account, conversation, agent: () => agent })
  /** Questions that only calls which were cut off waited for. */
  const left: string[] = []
  let closed: 'gone' | 'returns' | undefined
  /** One for each call that waits. */
  const waits = new Set<AbortController>()
  let calls = 0
  let usedAt = clock.now()
  return {
    conversation,
    ask,
    resume,
    messages: () => calling(take),
    speaksAs(name: string) {
      agent = name
    },
    tell,
    /** Its client has a request or a stream open until then. */
    attends: present.attends,
    remember: account.remember,
    dismiss,
    /** Its agent has made again what it wants to. */
    isBack: () => abandon(left.splice(0)),
    idleMs,
    close,
  }

  function ask(questions: Putting[], wait: Wait): Promise<Delivery> {
    const keyed = questions.map((question) => ({ ...question, key: question.key ?? newKey() }))
    return asking(async () => {
      for (let times = 1; ; times++) {
        const deliveries = await put(
          times === 1 ? keyed : keyed.map((one) => ({ ...one, key: `${one.key}~${times}` })),
          wait,
        )
        const isGone = wait.alone && deliveries.settlements.some(({ gone }) => gone)
        if (!isGone || deliveries.interrupted !== undefined) return deliveries
        // It came back after all, and later than anybody waited for it: then it asks anew.
        deliveries.returned()
      }
    })
  }

  async function put(questions: Asking[], wait: Wait): Promise<Delivery> {
    const known = deliveries.asking()
    try {
      const asked = await account.proving((read) =>
        agentService.ask(conversation, questions, { title, folder, heard: account.given().heard, read }),
      )
      // The replies are not awaited here: that the wait has begun is all that the other calls need.
      if ('questions' in asked) return waitFor(asked.questions, wait)
      return deliveries.take({ signal: wait.signal, alone: wait.alone, stops: asked.stops })
    } finally {
      known()
    }
  }

  /** Waits again for questions that were asked before, or brings the replies they got meanwhile. */
  async function resume(questions: string[], wait: Wait): Promise<Delivery> {
    return asking(async () => {
      await agentService.mustOwn(questions, agent)
      await account.prove()
      return waitFor(questions, wait)
    })
  }

  /** The person's messages from while nobody listened, without waiting for more. */
  function take(): Promise<Delivery> {
    const proving = account.prove()
    return proving ? proving.then(() => deliveries.take({})) : deliveries.take({})
  }

  /** Tells what the agent does or how the conversation is called, and brings what the person said meanwhile. */
  async function tell(body: Deed | Title, key = newKey()): Promise<Delivery> {
    return calling(async () => {
      await account.proving((read) => agentService.tell(conversation, body, { title, folder, key, read }))
      return take()
    })
  }

  /** How long the agent has not called. Waiting is not idle. */
  function idleMs(): number {
    return calls > 0 ? 0 : clock.now() - usedAt
  }

  function asking(work: () => Promise<Delivery>): Promise<Delivery> {
    return calling(work, true)
  }

  async function calling(work: () => Promise<Delivery>, asks = false): Promise<Delivery> {
    const ended = present.calls(asks)
    calls++
    try {
      return await work()
    } finally {
      calls--
      usedAt = clock.now()
      ended()
    }
  }

  /** A hub that closes leaves the questions as they are, as long as somebody can use their outcome. */
  function waitFor(questions: string[], wait: Wait): Promise<Delivery> {
    const comeBack = (error: ParleyError) => {
      throw new ParleyError('come_back', { question: questions.join('", then "') }, error)
    }
    return outcomesOf(questions, wait).catch(ifRefused(comeBack, 'shutting_down'))
  }

  async function outcomesOf(questions: string[], { signal, waitMs, alone, isCutOff }: Wait): Promise<Delivery> {
    const limit = limited(signal, waitMs)
    try {
      return await deliveries.awaiting(questions, async () => {
        const outcome = (question: string) => agentService.outcome(question, limit.signal)
        const settled = await Promise.all(questions.map(outcome))
        return deliveries.take({ settled, signal, alone })
      })
    } catch (error) {
      if (!limit.ranOut() && !(error instanceof StillOpen)) {
        if (alone) await giveUp(questions, isCutOff?.())
        throw error
      }
    } finally {
      limit.cancel()
    }
    const open = await agentService.stillOpen(questions)
    // The last answer may have come in the same moment, and then it counts.
    if (open.length === 0) return outcomesOf(questions, { signal, alone, isCutOff })
    return deliveries.awaiting(open, () => deliveries.take({ open, signal }))
  }

  /** Nobody can use the outcomes any more, unless the agent may come back for them. */
  async function giveUp(questions: string[], isCutOff?: boolean) {
    // The caller is told what ended the wait, whatever becomes of the withdrawal.
    if (!isCutOff) await Promise.allSettled([agentService.withdraw(questions)])
    else if (closed === undefined) left.push(...questions)
    else if (closed === 'gone') abandon(questions)
  }

  function abandon(questions: string[]) {
    if (questions.length > 0) void Promise.allSettled([agentService.withdraw(questions, true)])
  }

  /** The process of the agent is about to end: its calls are answered as those of a hub that closes. */
  function dismiss() {
    for (const wait of waits) wait.abort(new ParleyError('shutting_down'))
  }

  /** `returns`: its agent comes again, to another hub. */
  function close(how: 'gone' | 'returns' = 'gone') {
    closed = how
    if (how === 'gone') abandon(left.splice(0))
    present.leave()
  }

  function limited(signal: AbortSignal, waitMs: number | undefined) {
    const wait = new AbortController()
    const forward = () => wait.abort(signal.reason)
    if (signal.aborted) forward()
    else signal.addEventListener('abort', forward)
    const ring = () => wait.abort(TIME_RAN_OUT)
    const alarm = waitMs === undefined ? undefined : clock.alarm(clock.now() + waitMs, ring)
    waits.add(wait)
    return {
      signal: wait.signal,
      ranOut: () => wait.signal.reason === TIME_RAN_OUT && !signal.aborted,
      cancel() {
        signal.removeEventListener('abort', forward)
        alarm?.cancel()
        waits.delete(wait)
      },
    }
  }
}

const TIME_RAN_OUT = new Error('The time of a call ran out')
