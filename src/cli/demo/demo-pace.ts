import { setTimeout as pause } from 'node:timers/promises'

/** Waits as long as a person needs to follow the demo, or a share of that in tests. */
export async function atDemoPace(ms: number): Promise<void> {
  await pause(ms * Number(process.env.PARLEY_DEMO_PACE ?? 1))
}
