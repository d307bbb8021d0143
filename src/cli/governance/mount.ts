import { resolve } from 'node:path'
import { makeDataFolder } from '../../doors/socket/folder.ts'
import { giveOrder } from '../../doors/socket/order.ts'
import { parseMount } from '../../governance/gateway/mounts/mount-config.ts'
import { openMountsFile } from '../../governance/gateway/mounts/mounts-file.ts'
import { openSignInsFile } from '../../governance/gateway/sign-in/sign-ins-file.ts'
import { lockFolder } from '../../hub/startup-lock.ts'
import type { Flags } from '../../line/flags.ts'
import { ParleyError } from '../../protocol/errors.ts'
import type { FromHub, MountOrder } from '../../protocol/frames/link.ts'
import type { MountState } from '../../protocol/tools/gateway.ts'
import { usage } from '../../protocol/usage.ts'
import { noMemory } from '../config.ts'
import { hubOrFolder } from '../folder/hub-or-folder.ts'
import type { Typed } from '../program.ts'
import { table } from '../table.ts'

type Told = Extract<FromHub, { mounts: unknown } | { lines: unknown } | { address: unknown }>
type Servers = Record<string, unknown>

// The hub of the folder does it if one runs, so that it counts at once; else it is done in the folder itself.

export async function addMount({ config: { data }, flags, words: [name = '', ...command] }: Typed) {
  const config = parseMount(name, wanted(flags, command))
  const inFile = (servers: Servers) => {
    if (Object.hasOwn(servers, name)) throw new ParleyError('mount_taken', { name })
    servers[name] = config
  }
  const told = await order(data, { act: 'add', name, config }, { inFile })
  console.log(`${name} is mounted${howIs(told)}`)
}

export async function removeMount({ config: { data }, words: [name = ''] }: Typed) {
  const inFile = (servers: Servers) => {
    delete known(servers, name)[name]
    openSignInsFile(data, thrown).forget(name)
  }
  await order(data, { act: 'remove', name }, { inFile })
  console.log(`${name} is no longer mounted`)
}

export async function pauseMount({ config: { data }, words: [name = ''] }: Typed) {
  const inFile = (servers: Servers) => {
    servers[name] = { ...(known(servers, name)[name] as object), disabled: true }
  }
  await order(data, { act: 'pause', name }, { inFile })
  console.log(`${name} is paused`)
}

export async function resumeMount({ config: { data }, words: [name = ''] }: Typed) {
  const inFile = (servers: Servers) => {
    const { disabled: _, ...config } = known(servers, name)[name] as Servers
    servers[name] = config
  }
  const told = await order(data, { act: 'resume', name }, { inFile })
  console.log(`${name} is resumed${howIs(told)}`)
}

export async function listMounts({ config: { data } }: Typed) {
  const told = await order(data, { act: 'list' })
  const mounts = told && 'mounts' in told ? told.mounts : undefined
  if (told && 'mounts' in told && told.problem) console.error(told.problem)
  const rows = mounts
    ? mounts.map(row)
    : Object.keys(openMountsFile(data).read()).map((name) => [name, '', 'no hub runs'])
  if (rows.length === 0) return console.error('Nothing is mounted; see parley mount add --help')
  console.log(table([['name', 'transport', 'state', 'tools', 'problem'], ...rows]))
}

export async function showLogs({ config: { data }, words: [name = ''] }: Typed) {
  const told = await order(data, { act: 'logs', name })
  if (!told) return console.error('No hub runs, and with it no server; see parley open')
  if ('lines' in told) for (const line of told.lines) console.log(line)
}

/** Nobody else would hear of it. */
export function thrown(error: unknown): never {
  throw error
}

function row({ name, transport, state, tools, problem = '' }: MountState): string[] {
  return [name, transport, state, String(tools), problem]
}

/** What the hub says; nothing where none runs and the file was changed instead. */
export async function order(
  data: string,
  wanted: Omit<MountOrder, 'order'>,
  { inFile, waitMs }: { inFile?(servers: Servers): void; waitMs?: number } = {},
): Promise<Told | undefined> {
  noMemory(data)
  const byHub = async () => {
    const answer = await giveOrder(data, { order: 'mount', ...wanted }, waitMs)
    if (answer && 'refused' in answer) throw new ParleyError('refused_by_hub', { reason: answer.refused })
    return answer as Told | undefined
  }
  return hubOrFolder<Told | undefined>(byHub, async () => inFile && changeAlone(data, inFile))
}

/** Two that change the file at once would each write what the other has not read. */
function changeAlone(data: string, inFile: (servers: Servers) => void): undefined {
  makeDataFolder(data)
  const release = lockFolder(data)
  try {
    openMountsFile(data).change(inFile)
  } finally {
    release()
  }
}

export function known(servers: Servers, name: string): Servers {
  if (Object.hasOwn(servers, name)) return servers
  throw new ParleyError('unknown_mount', { name, known: Object.keys(servers).join(', ') || 'none' })
}

function wanted({ url, header, env, cwd }: Flags, [command, ...args]: string[]): object {
  const help = { help: 'parley mount add --help' }
  if ((url === undefined) === (command === undefined))
    throw usage('mount add needs either the command of a server, after --, or its --url', help)
  if (url !== undefined) return { type: 'http', url, ...(header && { headers: pairs(header, ':') }) }
  return { command, args, ...(env && { env: pairs(env, '=') }), cwd: resolve(cwd ?? '.') }
}

function pairs(lines: string, between: string): Record<string, string> {
  return Object.fromEntries(
    lines.split('\n').map((line) => {
      const at = line.indexOf(between)
      if (at < 1) throw usage(`"${line}" is not NAME${between}VALUE`, { help: 'parley mount add --help' })
      return [line.slice(0, at).trim(), line.slice(at + 1).trim()]
    }),
  )
}

export function howIs(told: Told | undefined): string {
  const [mount] = told && 'mounts' in told ? told.mounts : []
  if (!mount) return ''
  if (mount.state === 'ready') return ` and has ${mount.tools} tools`
  return mount.problem ? `, but ${mount.problem}` : `, and ${mount.state}`
}
