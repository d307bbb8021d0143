import { STATELESS } from '../../protocol/entries/agent.ts'
import type { Question } from '../../protocol/entries/entry.ts'

/**
 * Questions on their way from being asked to being waited for. Clients that only their requests show may ask the same
 * at once, and each wants its own.
 */
export function createAskedNow() {
  /** Each call that asks just now, by what it asks. */
  const asking = new Set<string[]>()
  /** Questions that were asked and for which no wait has ended yet. */
  const asked = new Set<string>()
  return { begin, has: (question: string) => asked.has(question), end: (question: string) => asked.delete(question) }

  function begin(questions: Question[]) {
    const what = questions.flatMap(({ visit, fingerprint = [] }) => (visit === STATELESS ? fingerprint : []))
    asking.add(what)
    return {
      isCrowded: () => [...asking].some((other) => other !== what && other.some((one) => what.includes(one))),
      /** These are new. */
      over(questions: string[]) {
        asking.delete(what)
        if (what.length > 0) for (const question of questions) asked.add(question)
      },
    }
  }
}
