import { setTimeout as pause } from 'node:timers/promises'
import { ParleyError } from '../protocol/errors.ts'
import { readCard } from './hub-card.ts'
import { joinHub, LinkLost } from './joined-hub.ts'
import type { Found } from './moving-reception.ts'

export interface FinderParts {
  /** The data folder, or `memory`, where nobody else can be. */
  data: string
  /** Opens a hub in this process, as the next one after the last of the folder. */
  openOwn(last: LastHub | undefined): Promise<Found>
  /** Told where the hub is, each time one is found. */
  found(url: string | undefined): void
}

export interface LastHub {
  port: number
  /** Whether this process used it, so that its pages wait for the next one at the same port. */
  wasOurs: boolean
}

// Whoever holds the folder and lets nobody in for so long is no hub that we could join.
const GIVE_UP_MS = 10_000
const RETRY_MS = 40

/** Joins the hub of the folder, or becomes it. Of several that try at once the lock of the log lets one. */
export function createHubFinder({ data, openOwn, found }: FinderParts) {
  let joinedAt: number | undefined
  return async function find(): Promise<Found> {
    const deadline = Date.now() + GIVE_UP_MS
    for (;;) {
      const card = data === 'memory' ? undefined : readCard(data)
      const link = card && (await joinHub(card).catch(nobodyThere))
      if (link) {
        joinedAt = card.port
        found(card.url)
        return link
      }
      try {
        const port = joinedAt ?? card?.port
        const own = await openOwn(port === undefined ? undefined : { port, wasOurs: joinedAt !== undefined })
        found(undefined)
        return own
      } catch (error) {
        if (!isInUse(error) || Date.now() > deadline) throw error
        await pause(RETRY_MS * (1 + Math.random()))
      }
    }
  }
}

function nobodyThere(error: unknown): undefined {
  if (!(error instanceof LinkLost)) throw error
}

function isInUse(error: unknown): boolean {
  return error instanceof ParleyError && error.code === 'data_in_use'
}
