import { flushCompileCache } from 'node:module'
import { openHub } from '../hub.ts'
import { ParleyError } from '../protocol/errors.ts'
import type { Config } from './config.ts'
import { closeOnSignals } from './signals.ts'

export const DEFAULT_PORT = 4117

export async function serve(config: Config) {
  const hub = await openAnyHub(config)
  closeOnSignals(hub.close)
  console.error(hub.url)
  const person = hub.tokens.firstPerson()
  if (person)
    console.error(`Sign in as ${person}, once, within 10 minutes: ${hub.url}/sign-in/${hub.tokens.link(person)}`)
  flushCompileCache()
  return hub
}

/** On the port that was asked for, or else on the usual one, or else on any. */
async function openAnyHub({ port, ...config }: Config) {
  if (port !== undefined) return openHub({ ...config, port })
  try {
    return await openHub({ ...config, port: DEFAULT_PORT })
  } catch (error) {
    if (!(error instanceof ParleyError && error.code === 'port_taken')) throw error
    return openHub({ ...config, port: 0 })
  }
}
