/** How long an agent is waited for, in milliseconds. */
export interface Patience {
  /** The time to answer at all: the agent may have to be downloaded first. */
  startMs: number
  /** The time until people are told that it is waited for, while no tool of it runs. */
  waitMs: number
  /** The time until its silence is reported, whatever runs. */
  silentMs: number
  /** The times from a stop until the turn is over for people, and until the agent is ended. */
  cancelMs: number
  stuckMs: number
  /** The rest between a stop and the next prompt, which some agents lose otherwise. */
  restMs: number
  /** The time to end by itself, and again after it was told to. */
  endMs: number
}

export const PATIENCE: Patience = {
  startMs: 60_000,
  waitMs: 10_000,
  silentMs: 30_000,
  cancelMs: 900,
  stuckMs: 5000,
  restMs: 500,
  endMs: 2000,
}
