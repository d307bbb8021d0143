import { flushCompileCache } from 'node:module'
import { type Hub, openHub } from '../hub.ts'
import { runsAlready } from '../join/hub-card.ts'
import { ParleyError } from '../protocol/errors.ts'
import type { Config } from './config.ts'
import { closeOnSignals } from './signals.ts'

export const DEFAULT_PORT = 4117

export async function serve(config: Config) {
  const hub = await openAnyHub(config)
  closeOnSignals(hub.close)
  // The log is gone, and whatever waited was told so.
  void hub.failed.finally(() => process.exit(1))
  console.error(hub.url)
  const person = hub.tokens.firstPerson()
  if (person) console.error(await signInLine(hub, person))
  flushCompileCache()
  return hub
}

/** On the port that was asked for, or else on the usual one, or else on any. */
async function openAnyHub({ port, ...config }: Config) {
  try {
    return await openHub({ ...config, port: port ?? DEFAULT_PORT })
  } catch (error) {
    if (isA(error, 'data_in_use')) throw runsAlready(config.data) ?? error
    if (port !== undefined || !isA(error, 'port_taken')) throw error
    console.error(`Port ${DEFAULT_PORT} is used by another program; taking the next free one`)
    return openHub({ ...config, port: 0 })
  }
}

/** A hub without a link is a hub; why there is none, somebody at the terminal can read. */
async function signInLine({ tokens, url }: Hub, person: string): Promise<string> {
  try {
    return `Sign in as ${person}, once, within 10 minutes: ${url}/sign-in/${await tokens.link(person)}`
  } catch (error) {
    if (!(error instanceof ParleyError)) throw error
    return `There is no link to sign in as ${person}: ${error.message}`
  }
}

function isA(error: unknown, code: ParleyError['code']): boolean {
  return error instanceof ParleyError && error.code === code
}
