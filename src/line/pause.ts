import { createBackOff } from '../io/back-off.ts'
/** Pauses that grow, from one try to the next. */
export function growingPause(fromMs: number, toMs: number): () => Promise<void> {
  const { next } = createBackOff(fromMs, toMs)
  return () => new Promise((resolve) => setTimeout(resolve, next()))
}
