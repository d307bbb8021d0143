import { onTestFinished } from 'vitest'
import type { Gateway } from '../../../src/governance/gateway/gateway.ts'
import type { Era } from '../agent.ts'
import { startGateway, untilMount } from './gateway.ts'
import { startOAuthServer } from './oauth-server.ts'
import { startProtectedServer } from './protected-server.ts'

/** One who signs people in, and a server that wants it. */
export async function startProtected(era?: Era) {
  const oauth = await startOAuthServer()
  onTestFinished(oauth.close)
  const far = await startProtectedServer(oauth, era)
  onTestFinished(far.close)
  return { oauth, far }
}

type GatewayOptions = Omit<NonNullable<Parameters<typeof startGateway>[0]>, 'servers'>

/** A hub that has mounted such a server as `far`. */
export async function startWithProtected(wanted: GatewayOptions & { era?: Era } = {}) {
  const { era, ...rest } = wanted
  const { oauth, far } = await startProtected(era)
  const hub = await startGateway({ servers: { far: { url: far.url } }, ...rest })
  return { oauth, far, hub, ...hub }
}

/** Opens the address as a person's browser does and follows where it leads. Gives what the last page says. */
export async function follow(address: string): Promise<{ status: number; text: string; url: string }> {
  const response = await fetch(address)
  return { status: response.status, text: await response.text(), url: response.url }
}

/** A person signs in, and the server is there. */
export async function signIn(gateway: Gateway, name = 'far') {
  const page = await follow(await gateway.signIns.begin(name))
  await untilMount(gateway, name, ({ state }) => state === 'ready')
  return page
}
