import { STATELESS } from '../../protocol/entries/agent.ts'
import type { Question } from '../../protocol/entries/entry.ts'

/**
 * Questions on their way from being asked to being waited for. Clients that only their requests show may ask the same
 * at once, and each wants its own.
 */
export function createAskedNow() {
  /** How many calls ask it just now, by what they ask. */
  const asking = new Map<string, number>()
  /** Questions that were asked and for which no wait has ended yet. */
  const asked = new Set<string>()
  return { begin, has: (question: string) => asked.has(question), end: (question: string) => asked.delete(question) }

  function begin(questions: Question[]) {
    const what = questions.flatMap(({ visit, fingerprint = [] }) => (visit === STATELESS ? fingerprint : []))
    for (const one of what) asking.set(one, (asking.get(one) ?? 0) + 1)
    return {
      isCrowded: () => what.some((one) => (asking.get(one) ?? 0) > 1),
      /** These are new. */
      over(questions: string[]) {
        for (const one of what) {
          const others = (asking.get(one) ?? 1) - 1
          if (others > 0) asking.set(one, others)
          else asking.delete(one)
        }
        if (what.length > 0) for (const question of questions) asked.add(question)
      },
    }
  }
}
