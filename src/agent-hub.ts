import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { systemClock } from './chat/clock.ts'
import { newConversationName } from './chat/conversation-name.ts'
import { takeSeat } from './chat/seat.ts'
import { openFiles } from './files/file-store.ts'
import type { Hub, HubConfig } from './hub.ts'
import { runsAlready } from './join/hub-card.ts'
import { createHubFinder, type LastHub } from './join/hub-finder.ts'
import { createMovingReception, type Found } from './join/moving-reception.ts'
import type { AgentFiles } from './mcp/enclosures.ts'
import type { WatchedCall } from './mcp/surface.ts'
import { createLogbook } from './ops/logbook.ts'
import { createMetrics } from './ops/metrics.ts'
import { createWatch } from './ops/watch.ts'
import { ParleyError } from './protocol/errors.ts'

export interface AgentHubParts {
  hub: HubConfig
  /** Absent for a new one. */
  conversation?: string
  title: string
  /** Told the address of the page, again whenever it is another one. */
  found(url: string): void
}

export type AgentHub = Awaited<ReturnType<typeof openAgentHub>>

const PORT_TRIES = 4
const PORT_PAUSE_MS = 50

/**
 * The place of the agent that started this process, in the hub of its data folder: one in another process if there is
 * one, else one in this. When the other one goes away, one of those who had joined it takes over.
 */
export async function openAgentHub({ hub: config, conversation, title, found }: AgentHubParts) {
  const logbook = createLogbook(config.log ?? { level: 'error', content: false })
  const watch = createWatch({ logbook, metrics: createMetrics() })
  // The folder is the same whichever process holds the hub.
  const shared = openFiles(config.data)
  let own: Hub | undefined
  let address = ''
  const reception = createMovingReception(createHubFinder({ data: config.data, openOwn, found: moved }))
  await reception.ready
  const seat = takeSeat({
    reception,
    clock: systemClock,
    newKey: randomUUID,
    conversation: conversation ?? newConversationName(title),
    title,
  })
  return { seat, files, logbook, admit, leave, close }

  async function files(): Promise<AgentFiles> {
    return { store: own?.files ?? shared, sameMachine: true, takesPaths: true }
  }

  async function openOwn(last: LastHub | undefined): Promise<Found> {
    own = await openHubNear(config, last)
    return { reception: own.reception, lost: own.failed.then(done, done) }
  }

  function moved(url = own?.url ?? '') {
    if (url !== address) found(url)
    address = url
  }

  function admit(call: WatchedCall) {
    return own ? own.admitCall(call) : watch.call(call)
  }

  /** The agent is gone. What it opened stays for as long as other agents use it. */
  async function leave() {
    seat.close()
    if (own && !own.isClosing()) await own.noAgentLeft()
    await close()
  }

  async function close() {
    reception.close()
    // Also those that came before this process had the hub.
    await watch.callsEnded()
    seat.close()
    await own?.close()
    logbook.close()
  }
}

/** For the surfaces that are no agent's: they are built by the hub, so that it must be here. */
export async function openOwnHub(config: HubConfig): Promise<Hub> {
  const { openHub } = await import('./hub.ts')
  // Some clients start a second process to find out what the first one speaks, and end one of them at once.
  for (let tries = 1; ; tries++) {
    try {
      return await openHub(config)
    } catch (error) {
      if (!isA(error, 'data_in_use')) throw error
      if (tries === 30) throw runsAlready(config.data) ?? error
      await pause(100)
    }
  }
}

/** Where the last hub of this folder was, so that its pages find it, unless another port was asked for; else on any. */
async function openHubNear(config: HubConfig, last: LastHub | undefined): Promise<Hub> {
  const { openHub } = await import('./hub.ts')
  if (!last || (config.port !== 0 && !last.wasOurs)) return openHub(config)
  // A process that is being killed may let go of the log a moment before it lets go of the port.
  for (let tries = last.wasOurs ? PORT_TRIES : 1; tries > 0; tries--) {
    try {
      return await openHub({ ...config, port: last.port })
    } catch (error) {
      if (!isA(error, 'port_taken')) throw error
      await pause(PORT_PAUSE_MS)
    }
  }
  return openHub(config)
}

function done() {}

function isA(error: unknown, code: ParleyError['code']): boolean {
  return error instanceof ParleyError && error.code === code
}
