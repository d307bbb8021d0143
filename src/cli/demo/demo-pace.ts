import { setTimeout as pause } from 'node:timers/promises'

/** As long as a person needs to follow the demo, or a share of it: tests do not look on. */
export async function atDemoPace(ms: number): Promise<void> {
  await pause(ms * Number(process.env.PARLEY_DEMO_PACE ?? 1))
}
