import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { uptimeMs } from '../io/clock.ts'
import { orUndo } from '../io/or-undo.ts'
import type { Farewell } from '../protocol/frames/link.ts'
import { type Given, hubSettings } from '../protocol/settings.ts'
import type { Front } from './front.ts'
import type { Hub, HubConfig } from './hub.ts'
import type { StartupLock } from './startup-lock.ts'

export interface HubProcess {
  /** What makes this process the hub of its folder. */
  startupLock: StartupLock
  data: string
  /** Settings that somebody asked for. */
  given: Given
  tokens?: string
  maxWaitSeconds?: number
  log?: HubConfig['log']
  /** How long it stays when everybody is gone; absent when it stays. */
  keepSeconds?: number
  /** The one line of a hub that keeps nothing. */
  lent?: Socket
  /** Called with the reason why there will be no hub after all. */
  failing?(error: unknown): void
  /** How long the first answer may take before everything else is loaded. */
  patienceMs?: number
}

const LOOK_MS = 1000

/**
 * The hub of a folder whose start-up lock is taken: the page first, then the front, the hub behind it, and its end in good
 * order. Each is loaded when those who wait have what needs no more than is there.
 */
export async function openHubProcess({ startupLock, data, given, tokens, keepSeconds, ...more }: HubProcess) {
  const { maxWaitSeconds, lent, patienceMs = 0 } = more
  const { keepSeconds: _, log, ...settings } = hubSettings(given)
  const config: HubConfig = { ...settings, given, port: 0, data, tokens, maxWaitSeconds, log: more.log ?? log }
  const ended = Promise.withResolvers<void>()
  let ending: Promise<void> | undefined
  let hub: Hub | undefined
  let leftAt = uptimeMs()
  let looking: NodeJS.Timeout | undefined
  let front: Front | undefined
  lent?.on('error', () => lent.destroy())
  lent?.once('close', () => void end('ending'))
  if (lent) startupLock.connect(lent)
  const opening = orUndo(open, fail)
  hub = await opening
  if (keepSeconds !== undefined) looking = setInterval(look, LOOK_MS)
  void hub.failed.finally(() => end('ending'))
  void hub.replaced.then(handOver)
  return { ...hub, end, ended: ended.promise }

  async function open(): Promise<Hub> {
    const { listener, greeted } = startupLock
    const patience = pause(patienceMs)
    await Promise.race([greeted, listener.asked, patience])
    const { serveEarlyPage, pageFirst } = await import('../doors/http/early-page.ts')
    const page = serveEarlyPage(listener)
    const others = () => pageFirst(listener)
    const opened = await openFront(others)
    await Promise.race([opened.answered, patience])
    await others()
    const { openHub } = await import('./hub.ts')
    await others()
    const behind = await openHub(config, { startupLock, page, goodbye: () => opened.lines.close('stopped') })
    opened.open(behind)
    return behind
  }

  /** To the hub of another build. */
  function handOver({ message }: Error) {
    console.error(message)
    // What runs it as a service starts it again only then.
    process.exitCode = 1
    return end('handing_over')
  }

  /** In steps, each of which takes a while in which nobody else is answered. */
  async function openFront(others: () => Promise<void>): Promise<Front> {
    await others()
    await import('../doors/mcp/surface.ts')
    await others()
    const { openFront } = await import('./front.ts')
    front = openFront({ startupLock, given, tokens, keepSeconds, end, isEnding, changed: look, report })
    return front
  }

  async function fail(error: unknown) {
    more.failing?.(error)
    // The front closes first, so that no call is answered: its line finds another hub, or knows why there is none.
    front?.close()
    front?.fail(error)
    await startupLock.close()
  }

  function report(error: unknown) {
    if (hub) hub.report(error)
    else console.error(error)
  }

  /** Whether anybody is left who needs it. */
  function look() {
    if (!hub || !front || keepSeconds === undefined || ending) return
    const now = uptimeMs()
    const isUsed = front.lines.count() > 0 || hub.connections() > 0 || hub.agents().length > 0
    // People who sign in to a server come back here.
    if (isUsed || hub.gateway.signIns.isOpen()) leftAt = now
    else if (now - leftAt >= keepSeconds * 1000) void end('ending')
  }

  function isEnding(): boolean {
    return ending !== undefined
  }

  function end(farewell: Farewell): Promise<void> {
    ending ??= closeInOrder(farewell)
    return ending
  }

  /** Lines go first and take their calls to the next hub, unless there shall be none. */
  async function closeInOrder(farewell: Farewell) {
    clearInterval(looking)
    // One that cannot open closes itself, and its opener is told.
    const opened = await opening.catch(() => undefined)
    if (!opened || !front) return
    startupLock.shut()
    // Runners say goodbye while there is somebody to say it to; the next hub takes over those that go on.
    if (farewell !== 'handing_over') await opened.endRunners()
    if (farewell !== 'stopped') await front.lines.close(farewell)
    await opened.close()
    front.close()
    await startupLock.close()
    ended.resolve()
  }
}
