import type { OpenQuestion } from '../protocol/fold.ts'
import type { Clock } from './clock.ts'

/** Rings for every open question that has a deadline. Rebuilt from the log, so a restart forgets none. */
export function createDeadlines({ clock, expire }: { clock: Clock; expire(question: string): void }) {
  const alarms = new Map<string, { cancel(): void }>()
  return { watch, forget, close }

  function watch(question: OpenQuestion) {
    if (question.expires_at === undefined || alarms.has(question.id)) return
    alarms.set(
      question.id,
      clock.alarm(question.expires_at, () => {
        alarms.delete(question.id)
        expire(question.id)
      }),
    )
  }

  function forget(question: string) {
    alarms.get(question)?.cancel()
    alarms.delete(question)
  }

  function close() {
    for (const alarm of alarms.values()) alarm.cancel()
    alarms.clear()
  }
}
