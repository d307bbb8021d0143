import { ParleyError } from '../protocol/errors.ts'
import type { MountState } from '../protocol/gateway.ts'
import { parse } from '../protocol/parse.ts'
import { Name } from '../protocol/text.ts'
import { createCatalog } from './catalog.ts'
import { type Mount, openMount } from './mount.ts'
import { parseMount } from './mount-config.ts'
import { openMountsFile } from './mounts-file.ts'
import { PATIENCE, type Patience } from './patience.ts'
import type { Raw } from './upstream.ts'

export interface GatewayParts {
  /** The folder with the list of mounts. */
  data: string
  env: NodeJS.ProcessEnv
  /** Names that tools of mounts must not have. */
  taken(name: string): boolean
  patience?: Partial<Patience>
  report(error: unknown): void
}

/** What is other than before. */
export type Change =
  | { list: 'tools' | 'prompts' | 'resources' }
  | { mount: string }
  /** A server told something that concerns no call. */
  | { mount: string; method: string; params: Raw }

export type Gateway = ReturnType<typeof openGateway>

/** How long who lists tools waits for servers that have just been started. */
const FIRST_TRY_MS = 5000

/** MCP servers of others, mounted side by side. */
export function openGateway({ data, env, taken, report, ...parts }: GatewayParts) {
  const patience = { ...PATIENCE, ...parts.patience }
  const file = openMountsFile(data)
  const mounts = new Map<string, Mount>()
  const followers = new Set<(change: Change) => void>()
  const catalog = createCatalog({ mounts, taken })
  try {
    for (const [name, written] of Object.entries(file.read())) mount(name, written)
  } catch (error) {
    // The hub is needed all the same.
    report(error)
  }
  return {
    catalog,
    tried,
    states,
    state,
    logs,
    mountOf,
    all: () => [...mounts.values()],
    add,
    remove,
    pause,
    resume,
    onChange,
    close,
  }

  function mount(name: string, written: unknown) {
    const opened = openMount({
      name,
      written,
      env,
      patience,
      changed: (what) => {
        if (what === 'state') return tell({ mount: name })
        catalog.forget()
        tell({ list: what })
      },
      told: (method, params) => tell({ mount: name, method, params }),
    })
    mounts.set(name, opened)
    catalog.forget()
    opened.begin()
  }

  /** Throws where it cannot be what it is said to be; whether it works shows in its state. */
  function add(wanted: string, written: unknown): MountState {
    const name = parse(Name, wanted)
    if (mounts.has(name)) throw new ParleyError('mount_taken', { name })
    const config = parseMount(written)
    file.change((servers) => {
      servers[name] = config
    })
    mount(name, config)
    tellAll()
    return state(name)
  }

  async function remove(name: string) {
    const gone = mountOf(name)
    file.change((servers) => delete servers[name])
    mounts.delete(name)
    catalog.forget()
    tell({ mount: name })
    tellAll()
    await gone.close()
  }

  function pause(name: string): MountState {
    return switched(name, true)
  }

  function resume(name: string): MountState {
    return switched(name, false)
  }

  function switched(name: string, off: boolean): MountState {
    const { pause, resume } = mountOf(name)
    file.change((servers) => {
      const { disabled: _, ...config } = servers[name] as Raw
      servers[name] = off ? { ...config, disabled: true } : config
    })
    if (off) pause()
    else resume()
    catalog.forget()
    tellAll()
    return state(name)
  }

  function mountOf(name: string): Mount {
    const mount = mounts.get(name)
    if (!mount) throw new ParleyError('unknown_mount', { name, known: [...mounts.keys()].join(', ') || 'none' })
    return mount
  }

  function states(): MountState[] {
    return [...mounts.keys()].map(state)
  }

  function state(name: string): MountState {
    return { ...mountOf(name).about(), fingerprints: catalog.toolsOf(name) }
  }

  function logs(name: string): string[] {
    return mountOf(name).log.lines()
  }

  /** Once every server had its first chance to be there, or a moment has passed. */
  async function tried() {
    const late = AbortSignal.timeout(FIRST_TRY_MS)
    const passed = new Promise<void>((resolve) => late.addEventListener('abort', () => resolve()))
    await Promise.race([Promise.all([...mounts.values()].map(({ tried }) => tried)), passed])
  }

  function tellAll() {
    for (const list of ['tools', 'prompts', 'resources'] as const) tell({ list })
  }

  function tell(change: Change) {
    for (const follower of followers) follower(change)
  }

  function onChange(follower: (change: Change) => void) {
    followers.add(follower)
    return { close: () => followers.delete(follower) }
  }

  async function close() {
    followers.clear()
    await Promise.all([...mounts.values()].map(({ close }) => close()))
  }
}
