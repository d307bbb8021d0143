import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../hub.ts'
import { followed } from '../policy/governed.ts'
import { startGateway, untilMount } from './gateway.ts'
import { libraryAt } from './library-server.ts'

type Given = Pick<NonNullable<Parameters<typeof startGateway>[0]>, 'policy' | 'tokens' | 'maxWaitSeconds' | 'views'>

/** A hub with it as `lib`, and what it was asked. */
export async function startLibrary({ policy = { rules: [] }, ...more }: Given = {}) {
  const asked = join(await temporaryFolder(), 'asked')
  const lib = libraryAt(asked)
  // A list of resources waits for it, however long it takes.
  const patience = { lateMs: 60_000 }
  const hub = await startGateway({ servers: { lib }, policy, patience, ...more })
  await untilMount(hub.gateway, 'lib', ({ state }) => state === 'ready')
  return { ...hub, asked: () => askedIn(asked), log: followed(hub.view) }
}

/** What was asked for, by its method, and of what. */
function askedIn(path: string): [method: string, what: unknown][] {
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : []
  return lines.map((line) => {
    const [method, { uri, name }] = JSON.parse(line) as [string, { uri?: string; name?: string }]
    return [method, uri ?? name]
  })
}
