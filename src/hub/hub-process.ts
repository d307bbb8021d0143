import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { orUndo } from '../io/or-undo.ts'
import type { Farewell } from '../protocol/frames/link.ts'
import { type Given, hubSettings } from '../protocol/settings.ts'
import { openFront } from './front.ts'
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

/** The hub of a folder whose start-up lock is taken: its front first, the hub behind it, and its end in good order. */
export async function openHubProcess({ startupLock, data, given, tokens, keepSeconds, ...more }: HubProcess) {
  const { maxWaitSeconds, lent, patienceMs = 0 } = more
  const { keepSeconds: _, log, ...settings } = hubSettings(given)
  const config: HubConfig = { ...settings, port: 0, data, tokens, maxWaitSeconds, log: more.log ?? log }
  const ended = Promise.withResolvers<void>()
  let ending: Promise<void> | undefined
  let hub: Hub | undefined
  let leftAt = performance.now()
  let looking: NodeJS.Timeout | undefined
  const front = openFront({ startupLock, given, tokens, keepSeconds, end, isEnding, changed: look, report })
  lent?.on('error', () => lent.destroy())
  lent?.once('close', () => void end('ending'))
  if (lent) front.connect(lent)
  const opening = orUndo(openBehind, fail)
  hub = await opening
  if (keepSeconds !== undefined) looking = setInterval(look, LOOK_MS)
  void hub.failed.finally(() => end('ending'))
  return { ...hub, end, ended: ended.promise }

  async function openBehind(): Promise<Hub> {
    await Promise.race([front.answered, pause(patienceMs)])
    const { serveEarlyPage } = await import('../doors/http/early-page.ts')
    const page = await serveEarlyPage(startupLock.listener)
    const { openHub } = await import('./hub.ts')
    const opened = await openHub(config, { startupLock, page, goodbye: () => front.lines.close('stopped') })
    front.open(opened)
    return opened
  }

  async function fail(error: unknown) {
    more.failing?.(error)
    // First, so that no call is answered: its line goes on with another hub, or knows why there is none.
    front.close()
    front.fail(error)
    await startupLock.close()
  }

  function report(error: unknown) {
    if (hub) hub.report(error)
    else console.error(error)
  }

  /** Whether anybody is left who needs it. */
  function look() {
    if (!hub || keepSeconds === undefined || ending) return
    const now = performance.now()
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
    if (!opened) return
    startupLock.shut()
    if (farewell !== 'stopped') await front.lines.close(farewell)
    await opened.close()
    front.close()
    await startupLock.close()
    ended.resolve()
  }
}
