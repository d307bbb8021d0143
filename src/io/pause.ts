import { setTimeout as pause } from 'node:timers/promises'

/** Waits this long, or until the signal if that comes first. */
export async function pauseUntil(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await pause(ms, undefined, { signal })
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
