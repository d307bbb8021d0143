import type { Entry } from '../../../../src/protocol/entries/entry.ts'

/** Less is not worth a word. */
const SHORTEST_MS = 1000
/** An agent that was silent for this long began anew when somebody wrote. */
const SILENCE_MS = 2 * 60_000

/**
 * How long an agent worked until it ended its turn or asked: from a message or an answer, or from its first activity.
 * It is told the entries in order. The beginning of the first turn is known only where all entries are there.
 */
export function createTurns(isWhole = false) {
  let isKnown = isWhole
  let begun: number | undefined
  let lastActivity: number | undefined
  /** Calls that wait for a verdict are nobody's work. */
  const waiting = new Set<string>()
  let waitsSince = 0
  return { workedUntil }

  /** The duration in milliseconds; undefined where no turn ends, or none that took long. */
  function workedUntil({ id, at, body }: Entry): number | undefined {
    switch (body.kind) {
      case 'question':
        if (!body.approval) return end(at)
        active(at)
        if (waiting.size === 0) waitsSince = at
        waiting.add(id)
        return
      case 'turn':
        return end(at)
      case 'settlement':
        if (waiting.delete(body.question)) goOn(at)
        else if (body.outcome === 'answered') begin(at)
        return
      case 'message':
        if (body.author === 'user') begin(at)
        else active(at)
        return
      case 'receipt':
        // The message only waited to be fetched until now.
        if (body.state === 'delivered' && begun !== undefined && lastActivity === undefined) begun = at
        return
      case 'title':
      case 'revocation':
      case 'wish':
      case 'unknown':
        return
      default:
        active(at)
    }
  }

  function begin(at: number) {
    const isSilent = lastActivity !== undefined && at - lastActivity > SILENCE_MS && waiting.size === 0
    if (begun !== undefined && !isSilent) return
    begun = at
    lastActivity = undefined
  }

  function active(at: number) {
    begun ??= at
    lastActivity = at
  }

  function goOn(at: number) {
    if (waiting.size === 0 && begun !== undefined) begun += at - waitsSince
    lastActivity = at
  }

  function end(at: number): number | undefined {
    const worked = isKnown && begun !== undefined ? at - begun : 0
    isKnown = true
    begun = lastActivity = undefined
    waiting.clear()
    return worked < SHORTEST_MS ? undefined : worked
  }
}
