import { agentIn, identityOf } from '../../protocol/entries/agent.ts'
import { ParleyError } from '../../protocol/errors.ts'
import { LOCAL, LOCAL_AGENT } from '../../protocol/local.ts'
import { sizeInWords } from '../../protocol/text/size.ts'
import type { Proposed } from '../conversation/decision.ts'
import { bytesOf } from '../conversation/text-size.ts'

/** How many questions an agent may have open at once, and what they may take. */
const MOST_OPEN = 5000
const MOST_OPEN_BYTES = 16 * 1024 * 1024
/** All agents without a token together may have as much as so many of them. */
const MOST_AGENTS = 8

export interface Taken {
  count: number
  bytes: number
}

export type OpenLimits = ReturnType<typeof createOpenLimits>

/**
 * The payers whose limits a question counts for. Agents without a token are one principal, and have limits of their
 * own.
 */
export function payersOf(conversation: string, asked: Parameters<typeof agentIn>[0]): string[] {
  const { asker = LOCAL_AGENT } = asked
  if (!asker.startsWith(`${LOCAL}:`)) return [asker]
  // The identity is JSON, so that no two of them begin alike.
  return [`${identityOf(agentIn(asked))} ${conversation}`, asker]
}

/** Open questions are kept in memory, and every page is told of them: nobody may have too many. */
export function createOpenLimits({ openOf }: { openOf(payer: string): Taken }) {
  /** The questions that are being appended just now. */
  const underWay = new Map<string, Taken>()
  return { admit }

  /** Throws where it would be too much. What is returned is called when it is open, or refused. */
  function admit(conversation: string, proposed: Proposed[]): () => void {
    if (!proposed.some(({ body }) => body.kind === 'question')) return nothingIsOpen
    const wanted = new Map<string, Taken>()
    const shared = new Set<string>()
    for (const { body } of proposed) {
      if (body.kind !== 'question') continue
      const payers = payersOf(conversation, body)
      for (const payer of payers.slice(1)) shared.add(payer)
      for (const payer of payers) add(wanted, payer, { count: 1, bytes: bytesOf(body) })
    }
    for (const [payer, { count, bytes }] of wanted) {
      const { count: openCount, bytes: openBytes } = sum(openOf(payer), underWay.get(payer) ?? NOTHING)
      const isShared = shared.has(payer)
      const times = isShared ? MOST_AGENTS : 1
      if (openCount + count > MOST_OPEN * times || openBytes + bytes > MOST_OPEN_BYTES * times)
        throw new ParleyError('too_much_open', {
          most: MOST_OPEN * times,
          size: sizeInWords(MOST_OPEN_BYTES * times),
          whose: isShared ? 'all agents without a token' : 'one agent',
        })
    }
    for (const [payer, taken] of wanted) add(underWay, payer, taken)
    return () => {
      for (const [payer, { count, bytes }] of wanted) add(underWay, payer, { count: -count, bytes: -bytes })
    }
  }
}

export const NOTHING: Taken = { count: 0, bytes: 0 }

function nothingIsOpen() {}

/** Adds to what somebody has; who has nothing is not kept. */
export function add(all: Map<string, Taken>, payer: string, taken: Taken) {
  const now = sum(all.get(payer) ?? NOTHING, taken)
  if (now.count > 0) all.set(payer, now)
  else all.delete(payer)
}

function sum(one: Taken, other: Taken): Taken {
  return { count: one.count + other.count, bytes: one.bytes + other.bytes }
}
