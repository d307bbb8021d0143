import { accessSync, constants, existsSync } from 'node:fs'
import { dirname, isAbsolute } from 'node:path'
import { openTokens } from '../../doors/http/access/open-tokens.ts'
import { mustBeOurs } from '../../doors/socket/folder.ts'
import { attempt } from '../../io/attempt.ts'
import { ifSystemError } from '../../io/system-error.ts'
import { ParleyError } from '../../protocol/errors.ts'
import { unwritable } from '../../protocol/refusal.ts'
import { DEFAULT_PORT } from '../../protocol/settings.ts'
import { VERSION } from '../../protocol/version.ts'
import { type Config, noMemory } from '../config.ts'
import { runningHub } from '../hub/running-hub.ts'
import type { Typed } from '../program.ts'
import { isAnswered, isAnsweredAt, noHubAt } from './answered-port.ts'
import type { Client } from './client.ts'
import { CLIENTS } from './clients.ts'
import { isFound } from './found.ts'
import { sweep } from './leftovers.ts'
import { isOwnReach } from './own-server.ts'
import { type Places, placesHere } from './places.ts'
import { entryIn, filesFor } from './plan.ts'
import { reachOf } from './reach.ts'
import { isOwnAddress, isOwnProgram, isParley } from './server-entry.ts'

/** A finding about this machine: what it is about, and what is wrong and how to mend it, if anything is. */
interface Finding {
  about: string
  fine?: string
  wrong?: string
}

/** Names what is wrong on this machine, and how to mend it. */
export async function doctor({ config }: Typed) {
  noMemory(config.data)
  const places = placesHere(process.env, process.cwd())
  const findings = [
    { about: 'Node', fine: `${process.versions.node} at ${process.execPath}` },
    ...(await ofFolder(config)),
    ...(await ofHub(config)),
    ...ofTokens(config),
    ...(await Promise.all(CLIENTS.map((client) => ofClient(client, places, config)))).flat(),
  ]
  for (const { about, fine, wrong } of findings) {
    if (wrong === undefined) console.log(`${about}: ${fine}`)
    else console.error(`${about}: ${wrong}`)
  }
  if (findings.some(({ wrong }) => wrong !== undefined)) process.exitCode = 1
  else console.log('Nothing is wrong')
}

async function ofFolder({ data }: Config): Promise<Finding[]> {
  return finding('Folder', async () => {
    mustBeOurs(data)
    mustBeWritable(data)
    return existsSync(data) ? data : `${data}, which the first hub makes`
  })
}

function mustBeWritable(data: string) {
  let folder = data
  while (!existsSync(folder)) folder = dirname(folder)
  attempt(
    () => accessSync(folder, constants.W_OK),
    ifSystemError((error) => {
      if (folder === data) unwritable(data)(error)
      throw new ParleyError('no_data_folder', { data, reason: error.message })
    }),
  )
}

async function ofHub({ data, port = DEFAULT_PORT }: Config): Promise<Finding[]> {
  return finding('Hub', async () => {
    const hub = await runningHub(data)
    if (hub && hub.version !== VERSION)
      throw new ParleyError('other_version', { pid: hub.pid, theirs: hub.version, ours: VERSION })
    if (hub) return `runs at ${hub.url}, process ${hub.pid}`
    if (await isAnswered(port))
      return `does not run; port ${port} belongs to another program, so that it will take another one`
    return `does not run; the first agent starts it, at port ${port}`
  })
}

function ofTokens(config: Config): Finding[] {
  const now = new Date().toISOString()
  return attempt(
    () =>
      openTokens(config)
        .list()
        .filter(({ expires_at, revoked_at }) => !revoked_at && expires_at && expires_at < now)
        .map(({ name, role }) => ({
          about: 'Tokens',
          wrong: `that of ${name} has expired; make another with parley token create ${name} --role ${role}`,
        })),
    (error) => wrongWith('Tokens', error),
  )
}

/** An entry may have stayed behind when the Parley that wrote it was moved or removed. */
async function ofClient(client: Client, places: Places, config: Config): Promise<Finding[]> {
  const { title, name } = client
  const scopes = [{ isProject: false }, { isProject: true }]
  for (const scope of scopes) await sweepFor(client, scope, places)
  const found = await finding(title, async () => {
    const entries = await Promise.all(scopes.map((scope) => entryIn(client, scope, places)))
    const [mine, theirs] = entries
    const leading = entries.filter(({ entry }) => isParley(entry))
    for (const { entry, isOwn, path } of leading) {
      const reach = reachOf(entry)
      const words = reach && 'command' in reach ? [reach.command, ...reach.args.filter(isOwnProgram)] : []
      // Who wrote it by hand may leave it to the shell to find a program.
      const gone = words.find((word) => isAbsolute(word) && !existsSync(word))
      const remedy = isOwn ? `write it again with parley connect ${name}` : 'who wrote it by hand has to change it'
      if (gone !== undefined) throw new ParleyError('entry_points_nowhere', { path: gone, remedy })
      const isShared = path !== undefined && path !== mine?.path && path === theirs?.path
      if (isShared && !(await isOwnReach(reach, config))) throw new ParleyError('entry_of_others', { file: path })
      if (reach && 'url' in reach && isOwnAddress(reach.url)) await mustLeadToHub(reach.url, config, remedy)
    }
    return leading.length > 0
      ? 'is connected'
      : isFound(client, places)
        ? `is not connected; see parley connect ${name}`
        : ''
  })
  return found.filter(({ fine }) => fine !== '')
}

/** Another hub or program may be there, or nobody. */
async function mustLeadToHub(url: string, { data }: Config, remedy: string) {
  const hub = await runningHub(data)
  if (new URL(url).origin === hub?.url) return
  if (!hub && !(await isAnsweredAt(url))) throw noHubAt(url)
  throw new ParleyError('entry_leads_elsewhere', { url, data, remedy })
}

async function sweepFor(client: Client, { isProject }: { isProject: boolean }, places: Places) {
  const nothing = { isProject, allow: false, instructions: false }
  for (const { path } of await filesFor(client, { url: '' }, nothing, places)) await sweep(path)
}

async function finding(about: string, look: () => Promise<string>): Promise<Finding[]> {
  return look().then(
    (fine) => [{ about, fine }],
    (error) => wrongWith(about, error),
  )
}

function wrongWith(about: string, error: unknown): Finding[] {
  if (!(error instanceof ParleyError)) throw error
  return [{ about, wrong: error.message }]
}
