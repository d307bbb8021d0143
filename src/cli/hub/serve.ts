import { flushCompileCache } from 'node:module'
import { openHubProcess } from '../../hub/hub-process.ts'
import { takeStartupLock } from '../../hub/startup-lock.ts'
import { closeOnSignals } from '../../ops/signals.ts'
import { giveBackAtRest } from '../../ops/spare-memory.ts'
import { ParleyError } from '../../protocol/errors.ts'
import { ifRefused } from '../../protocol/refusal.ts'
import { DEFAULT_PORT } from '../../protocol/settings.ts'
import type { Config } from '../config.ts'
import type { Typed } from '../program.ts'
import { modeOf } from './mode.ts'
import { runningHub } from './running-hub.ts'
import { signInLink } from './sign-in.ts'

/** Stays until it is told to end, whoever comes and goes; `before` is what has to end while it is still there. */
export async function serve({ config }: Typed, before = async () => {}) {
  const hub = await openHere(config).catch(
    ifRefused(async (error) => {
      throw (await runsAlready(config.data)) ?? error
    }, 'data_in_use'),
  )
  closeOnSignals(async () => {
    await before()
    await hub.end('ending')
  })
  // The log is gone and whatever waited was told so, or somebody has stopped it.
  void hub.failed.finally(() => process.exit(1))
  void hub.ended.then(() => process.exit())
  console.error(hub.url)
  console.error(`It is ${modeOf(hub.tokens.exist())}`)
  const signIn = await signInLink(hub.tokens, hub.url)
  if (signIn) console.error(signIn.told)
  flushCompileCache()
  giveBackAtRest()
  return hub
}

/** Listens on the port that was asked for, or else on the usual one, or else on any. */
async function openHere({ port, host, data, given, tokens, maxWaitSeconds }: Config) {
  const ports = port === undefined ? ([DEFAULT_PORT, 0] as const) : ([port] as const)
  const startupLock = await takeStartupLock({ data, host, tokens, ports })
  const hub = await openHubProcess({ startupLock, data, given, tokens, maxWaitSeconds })
  if (port === undefined && hub.port !== DEFAULT_PORT)
    console.error(`Port ${DEFAULT_PORT} is used by another program; taking another one`)
  return hub
}

/** Names the running hub instead of the error that the folder is in use. */
async function runsAlready(data: string): Promise<ParleyError | undefined> {
  const hub = await runningHub(data)
  return hub && new ParleyError('hub_runs', { url: hub.url, data })
}
