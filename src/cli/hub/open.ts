import { setTimeout as pause } from 'node:timers/promises'
import { openTokens } from '../../doors/http/access/open-tokens.ts'
import { startHub } from '../../line/hub-start.ts'
import { ParleyError } from '../../protocol/errors.ts'
import type { HubStatus } from '../../protocol/frames/link.ts'
import { type Config, noMemory } from '../config.ts'
import type { Typed } from '../program.ts'
import { openInBrowser } from './browser.ts'
import { runningHub } from './running-hub.ts'
import { doorTo, signInLink } from './sign-in.ts'

// A hub that is just starting or ending holds the folder and answers nobody; it is soon one or the other.
const PATIENCE_MS = 10_000
const RETRY_MS = 50

export async function open({ config }: Typed) {
  noMemory(config.data)
  const { url } = await anyHub(config)
  console.log(url)
  await showPage(url, config)
}

/** In the browser, signed in; where people sign in, the terminal is told how, too. */
export async function showPage(url: string, config: Config) {
  const signIn = await signInLink(openTokens(config), url)
  if (signIn) console.error(signIn.told)
  await openInBrowser(signIn?.link === undefined ? url : doorTo(signIn.link, config.data))
}

export async function anyHub({ data, given, port }: Config): Promise<HubStatus> {
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    const hub = await runningHub(data)
    if (hub) return hub
    if (Date.now() > deadline)
      throw new ParleyError('data_in_use', { reason: `Another process holds ${data} and does not answer` })
    if ((await startHub({ data, given, port })) === 'in_use') await pause(RETRY_MS)
  }
}
