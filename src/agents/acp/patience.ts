/** How long an agent is waited for, in milliseconds. */
export interface Patience {
  /** Until it answers at all: it may have to be downloaded first. */
  startMs: number
  /** Until its silence is said. */
  silentMs: number
  /** From a stop until the turn is over for people, and until the agent is ended. */
  cancelMs: number
  stuckMs: number
  /** Between a stop and the next prompt, which some agents lose otherwise. */
  restMs: number
  /** Until it has ended by itself, and again after it was told to. */
  endMs: number
}

export const PATIENCE: Patience = {
  startMs: 60_000,
  silentMs: 30_000,
  cancelMs: 900,
  stuckMs: 5000,
  restMs: 500,
  endMs: 2000,
}
