import { ParleyError } from '../../../protocol/errors.ts'

export type SessionLimits = ReturnType<typeof createSessionLimits>

/** How many sessions there may be at once, of one principal and of all; each takes tens of KB until it is given up. */
export function createSessionLimits({ each = 1000, all = 4000 }: { each?: number; all?: number } = {}) {
  const counts = new Map<string, number>()
  let total = 0
  return { enter }

  /** Throws where there is no room for one more. What is returned is called once it is over. */
  function enter(opener: string): () => void {
    const own = counts.get(opener) ?? 0
    if (own >= each || total >= all) throw new ParleyError('too_many_sessions', { most: own >= each ? each : all })
    counts.set(opener, own + 1)
    total++
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      total--
      const left = (counts.get(opener) ?? 1) - 1
      if (left > 0) counts.set(opener, left)
      else counts.delete(opener)
    }
  }
}
