import type { Socket } from 'node:net'
import { connectToHub } from '../doors/socket/connect.ts'
import { uptimeMs } from '../io/clock.ts'
import { ParleyError } from '../protocol/errors.ts'
import { ifRefused } from '../protocol/refusal.ts'
import { type HubOptions, raiseHub, startMemoryHub } from './hub-start.ts'
import type { Ending } from './link.ts'
import { growingPause } from './pause.ts'

/** A client that says nothing at first still gets its hub; one that ends at once gets none. */
const PATIENCE_MS = 100
/**
 * A process that has the folder opens it to us by then or lets go of it, also on a busy machine; clients wait for 30 s.
 */
const OPENING_MS = 20_000
/** The first wait before looking whether it was let go; each one doubles. */
const FIRST_WAIT_MS = 250
/** The longest time until an idle line finds a hub that others have started. */
const LONGEST_WAIT_MS = 2000
/** The time that a newer Parley has for its start, before an older one goes on. */
const HANDING_OVER_MS = 3000
/** Several silent hubs in a row are no accident, also where others are ended on purpose. */
const MOST_MUTE = 8
/** The first and the longest pause between two tries, of hubs that let nobody in and of those that are to come. */
const TRY_AGAIN_MS = [10, 2000] as const
const LOOK_AGAIN_MS = [10, 50] as const

interface FinderParts {
  hub: HubOptions
  /** Resolves when the client wants something, or when so long has passed. */
  wanted(patienceMs?: number): Promise<void>
  tell(sentence: string): void
}

/** Finds the hub of a folder, or starts it. */
export function createFinder({ hub, wanted, tell }: FinderParts) {
  const isMemory = hub.data === 'memory'
  let everWelcomed = false
  /** Why the last one that was started did not come to be. */
  let failure: string | undefined
  let mute = 0
  let complained = false
  let pause = growingPause(...TRY_AGAIN_MS)
  let othersFirstUntil = 0
  return { first, next }

  /** Throws why there is none. */
  async function first(): Promise<Socket> {
    const running = isMemory ? undefined : await connectToHub(hub.data)
    if (running) return running
    await wanted(PATIENCE_MS)
    return start()
  }

  /** The hub after one that ended this way; throws only when there never was one that let us in. */
  async function next({ farewell, heard, welcomed }: Ending): Promise<Socket> {
    everWelcomed ||= welcomed
    mute = heard ? 0 : mute + 1
    if (failure !== undefined) refuseToGoOn(new ParleyError('refused_by_hub', { reason: failure }))
    if (!everWelcomed && mute === MOST_MUTE) throw new ParleyError('hub_failed', { log: `hub.log in ${hub.data}` })
    if (welcomed) {
      complained = false
      pause = growingPause(...TRY_AGAIN_MS)
    } else await pause()
    // A hub hands over to whom it did not let in any more: that one is to start the next.
    if (farewell === 'handing_over' && welcomed) othersFirstUntil = uptimeMs() + HANDING_OVER_MS
    else if (heard) othersFirstUntil = 0
    const started = farewell === 'stopped' ? await startedByOthers() : undefined
    if (started) return started
    for (;;) {
      const socket = await other().catch(ifRefused(refuseToGoOn))
      if (socket) return socket
      await pause()
    }
  }

  /**
   * The hub after one that its owner stopped: one that somebody else starts, or none once the client wants something.
   */
  async function startedByOthers(): Promise<Socket | undefined> {
    if (isMemory) return void (await wanted())
    let isWanted = false
    const asked = wanted().then(() => {
      isWanted = true
    })
    for (const pause = growingPause(FIRST_WAIT_MS, LONGEST_WAIT_MS); ; ) {
      await Promise.race([asked, pause()])
      if (isWanted) return undefined
      const socket = await connectToHub(hub.data)
      if (socket) return socket
    }
  }

  /** Calls may wait for a hub that was there once; without any, there is nothing to wait for. */
  function refuseToGoOn(error: ParleyError) {
    if (!everWelcomed) throw error
    if (!complained) tell(error.message)
    complained = true
  }

  function failedLater(sentence: string) {
    failure = sentence
  }

  async function other(): Promise<Socket> {
    if (isMemory) return start()
    return (await connected(othersFirstUntil)) ?? start()
  }

  async function start(): Promise<Socket> {
    failure = undefined
    if (isMemory) return startMemoryHub(hub, failedLater)
    const until = uptimeMs() + OPENING_MS
    for (let waitMs = FIRST_WAIT_MS; ; waitMs *= 2) {
      const raised = await raiseHub(hub, failedLater)
      if ('socket' in raised) return raised.socket
      const socket = await connected(Math.min(uptimeMs() + waitMs, until))
      if (socket) return socket
      if (uptimeMs() >= until) throw new ParleyError('refused_by_hub', { reason: raised.inUse })
    }
  }

  /** Tries at least once. */
  async function connected(until: number): Promise<Socket | undefined> {
    for (const pause = growingPause(...LOOK_AGAIN_MS); ; await pause()) {
      const socket = await connectToHub(hub.data)
      if (socket || uptimeMs() > until) return socket
    }
  }
}
