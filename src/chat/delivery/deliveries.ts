import { createQueue } from '../../io/queue.ts'
import type { SettledEntry, Settlement } from '../../protocol/entries/entry.ts'
import type { Carried } from '../../protocol/frames/delivered-ids.ts'
import type { AgentService } from './agent-service.ts'
import type { Account } from './ledger.ts'
import type { Undelivered } from './undelivered.ts'

export type EarlierMessage = Omit<Undelivered, 'id'>

/** What one call brings its agent. It has arrived or it came back; the transport of the call says which. */
export interface Delivery extends Carried {
  /** Settlements in the order of the questions; none when the time ran out or the person wants the agent to stop. */
  settlements: Settlement[]
  /** The questions that had no outcome when the time ran out. */
  open: string[]
  /** The words of a stop: what the person wants instead. */
  interrupted?: string
  /** The person's messages from while nobody listened. */
  earlier: EarlierMessage[]
}

interface Taking {
  settled?: SettledEntry[]
  open?: string[]
  signal?: AbortSignal
  /** The answer has room for the outcome alone. */
  alone?: boolean
  /** The stops for which the call was refused. */
  stops?: string[]
}

interface DeliveriesParts {
  agentService: Pick<AgentService, 'unread'>
  account: Account
  conversation: string
  /** The agent's own name, as far as it is known. */
  agent(): string | undefined
}

/**
 * Fills the deliveries of one agent's calls. What is taken for one call is not taken for another, until it came back.
 */
export function createDeliveries({ agentService, account, conversation, agent }: DeliveriesParts) {
  const takes = createQueue()
  /** One for each call whose questions are not known yet. */
  const asked = new Set<Promise<void>>()
  return { take, asking, awaiting }

  /** One after the other: what one call brings along the next one must not. */
  function take(wanted: Taking): Promise<Delivery> {
    return takes.add(async () => {
      // A call that is repeated may find its reply there, which is then no other call's.
      if (asked.size > 0 || account.remembered()) await Promise.all([...asked, account.remembered()])
      return account.hold(
        { conversation },
        () => fill(wanted),
        ({ earlier }) => earlier.length === 0,
      )
    })
  }

  async function fill(wanted: Taking): Promise<Delivery> {
    const { settled = [], open = [], signal, alone, stops } = wanted
    const withdrawn = settled.find(({ body }) => body.outcome === 'withdrawn')
    const { contents, earlier, interrupted } = await agentService.unread(conversation, account.given(), {
      alone,
      withdrawn,
      stops,
      agent: agent(),
    })
    signal?.throwIfAborted()
    // The answer of a mounted tool took some of it meanwhile.
    if (contents.messages?.some(account.isCarried)) return fill(wanted)
    // An agent that is told to stop is told nothing else; the replies come with its next call.
    const own = interrupted === undefined ? settled.filter(({ body }) => body.reply !== undefined) : []
    return {
      settlements: settled.map(({ body }) => body),
      open,
      interrupted,
      earlier: earlier.map(({ id: _, ...message }) => message),
      ...account.offer({ ...contents, replies: [...contents.replies, ...own.map(({ id }) => id)] }),
    }
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

  /** The replies to these questions are nobody's earlier messages while the work goes on. */
  function awaiting(questions: string[], work: () => Promise<Delivery>): Promise<Delivery> {
    return account.hold({ questions }, work)
  }
}
