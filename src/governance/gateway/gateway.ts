import { isDeepStrictEqual } from 'node:util'
import { attempt } from '../../io/attempt.ts'
import { createEmitter } from '../../io/emitter.ts'
import { ParleyError } from '../../protocol/errors.ts'
import { parse } from '../../protocol/parse.ts'
import { ifRefused } from '../../protocol/refusal.ts'
import { Name } from '../../protocol/text/text.ts'
import type { Caller, MountedAs, MountState, ToolCallSubject } from '../../protocol/tools/gateway.ts'
import type { ToolViews } from '../../protocol/tools/views.ts'
import { createCatalog } from './catalog.ts'
import type { Change, GatewayParts } from './gateway-parts.ts'
import { hasSomeOf } from './in-reach.ts'
import { withInstructions } from './instructions.ts'
import { createLateLists } from './late-lists.ts'
import { changedMounts, type MountChange } from './mounts/changed-mounts.ts'
import { type Mount, openMount } from './mounts/mount.ts'
import { parseMount } from './mounts/mount-config.ts'
import { openMountsFile, type Servers } from './mounts/mounts-file.ts'
import { PATIENCE } from './mounts/patience.ts'
import { createReach, NO_BOUNDS } from './reach.ts'
import { createSignIns } from './sign-in/sign-ins.ts'
import { openSignInsFile } from './sign-in/sign-ins-file.ts'
import type { Raw } from './upstream/upstream.ts'

export type Gateway = ReturnType<typeof openGateway>

/** MCP servers of others, mounted side by side. */
export function openGateway({ data, env, taken, callback, report, ...parts }: GatewayParts) {
  const patience = { ...PATIENCE, ...parts.patience }
  const { reaching = NO_BOUNDS } = parts
  const reach = createReach(reaching)
  const file = openMountsFile(data)
  const mounts = new Map<string, Mount>()
  const signInsFile = openSignInsFile(data, report)
  const signIns = createSignIns({
    file: signInsFile,
    callback,
    lifeMs: patience.signInMs,
    placeOf: (name) => mountOf(name).signInPlace(),
    changed: (name) => mounts.get(name)?.accessChanged(),
  })
  const changes = createEmitter<[change: Change]>()
  const catalog = createCatalog({ mounts, taken })
  const lists = createLateLists({ lateMs: patience.lateMs, came: () => tell({ list: 'resources' }) })
  /** The servers as the file said last. */
  let servers: Servers = {}
  let problem: string | undefined
  /** Instructions are made again when a mount has changed. */
  const instructed = new Map<string, string>()
  const following = reaching.onChange(() => tell({ reach: 'policy' }))
  // Watching begins before the first look, or a change between the two would be missed.
  const watched = file.watch(look, ({ message }) => complain(`Changes of mcp.json are not noticed (${message})`))
  look()
  if (problem === undefined) signIns.tidy([...mounts.keys()])
  return {
    catalog,
    tried,
    states,
    state,
    logs,
    instructions,
    /** Why the file of mounts is not used as it is now; what was mounted before is. */
    problem: () => problem,
    mountOf,
    shutFor,
    toolKnown,
    toolCalled,
    reachOf: reach.of,
    views: reach.views,
    setViews,
    all: () => [...mounts.values()],
    list: lists.list,
    add,
    remove,
    pause,
    resume,
    signIns,
    signOut,
    onChange: changes.on,
    close,
  }

  /** Carries out what has changed in the file since the last look. The rest is not touched. */
  function look(): Promise<void>[] {
    return attempt(
      carryOut,
      // The hub is needed all the same.
      ifRefused(({ message }) => {
        complain(message)
        return []
      }),
    )
  }

  function carryOut(): Promise<void>[] {
    const now = file.read()
    const isSeenOtherwise = useViews(file.views())
    const changes = changedMounts(servers, now)
    servers = now
    complain(undefined)
    if (isSeenOtherwise) tell({ reach: 'views' })
    const ends = changes.map(([name, change]) => follow(name, change))
    if (changes.length > 0) catalog.forget()
    if (changes.length > 0) tellAll()
    return ends
  }

  /** Whether they are others than before. */
  function useViews(next: ToolViews): boolean {
    if (isDeepStrictEqual(next, reach.views())) return false
    reach.use(next)
    return true
  }

  /** Throws where they mean nothing, and changes nothing then. */
  function setViews(views: ToolViews): ToolViews {
    reaching.readViews(views)
    file.changeViews(views)
    look()
    return reach.views()
  }

  async function follow(name: string, change: MountChange): Promise<void> {
    const before = mounts.get(name)
    if (change === 'paused') return before?.pause()
    if (change === 'resumed') return before?.resume()
    if (change === 'gone') unmount(name)
    else mount(name, servers[name])
    await before?.close()
  }

  function unmount(name: string) {
    mounts.delete(name)
    signIns.forget(name)
    tell({ mount: name })
  }

  function complain(next: string | undefined) {
    if (next === problem) return
    problem = next
    if (next !== undefined) report(new ParleyError('mounts_unused', { problem: next }))
    tell({ problem })
  }

  function mount(name: string, written: unknown) {
    const opened = openMount({
      name,
      written,
      data,
      env,
      patience,
      signIns: signInsFile,
      changed: (what) => {
        if (what === 'state') return tell({ mount: name })
        catalog.forget()
        if (what === 'resources') lists.forget(name)
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
    const config = parseMount(name, written)
    file.change((servers) => {
      if (mounts.has(name) || Object.hasOwn(servers, name)) throw new ParleyError('mount_taken', { name })
      servers[name] = config
    })
    look()
    return state(name)
  }

  async function remove(name: string) {
    mountOf(name)
    file.change((servers) => delete servers[name])
    await Promise.all(look())
  }

  function pause(name: string): MountState {
    return switched(name, true)
  }

  function resume(name: string): MountState {
    return switched(name, false)
  }

  function switched(name: string, off: boolean): MountState {
    mountOf(name)
    file.change((servers) => {
      const { disabled: _, ...config } = servers[name] as Raw
      servers[name] = off ? { ...config, disabled: true } : config
    })
    look()
    return state(name)
  }

  function signOut(name: string): MountState {
    const mount = mountOf(name)
    mount.signInPlace()
    signIns.forget(name)
    mount.accessChanged()
    return state(name)
  }

  function mountOf(name: string): Mount {
    const mount = mounts.get(name)
    if (!mount) throw new ParleyError('unknown_mount', { name, known: [...mounts.keys()].join(', ') || 'none' })
    return mount
  }

  /** The server whose tool this may be, which nobody knows before a person has signed in there. */
  function shutFor(tool: string, caller: Caller): Mount | undefined {
    return [...mounts.values()].find(
      ({ name, about }) =>
        tool.startsWith(`${name}_`) && about().state === 'needs sign-in' && reach.isNamedTo(caller, name),
    )
  }

  /** The tool as far as it is known now. */
  function toolKnown(server: string, tool: string): Pick<ToolCallSubject, 'annotations' | 'bases'> {
    return { annotations: catalog.toolAt(server, tool)?.annotations, bases: mounts.get(server)?.bases() }
  }

  /** The tool by the name that an agent has for it, and whether it is none to that agent. */
  function toolCalled(name: string, caller: Caller): MountedAs | undefined {
    const found = catalog.toolCalled(name)
    return found && { ...found, isHidden: !reach.of(caller).sees(found.server, found.tool) }
  }

  function states(): MountState[] {
    return [...mounts.keys()].map(state)
  }

  function state(name: string): MountState {
    return { ...mountOf(name).about(), fingerprints: catalog.toolsOf(name) }
  }

  /**
   * What clients are told when they come: the gateway's own words, and those of the servers that are there and that one
   * in this place sees, whatever it calls itself.
   */
  function instructions(own: string, caller: Caller): string {
    const isNamed = (name: string) =>
      reach.isNamedTo(caller, name) && hasSomeOf(name, caller, { catalog, reachOf: reach.of })
    const named = [...mounts.values()].filter(({ name, isPaused }) => !isPaused() && isNamed(name))
    const key = JSON.stringify([own, ...named.map(({ name }) => name)])
    const text = instructed.get(key) ?? withInstructions(own, named)
    instructed.set(key, text)
    return text
  }

  function logs(name: string): string[] {
    return mountOf(name).log.lines()
  }

  /**
   * Resolves once every server had its first chance to be there, or a moment has passed; one whose tool is called has
   * its time.
   */
  async function tried(called = '') {
    const late = AbortSignal.timeout(patience.firstTryMs)
    const passed = new Promise<void>((resolve) => late.addEventListener('abort', () => resolve()))
    const all = [...mounts.values()]
    await Promise.race([Promise.all(all.map(({ tried }) => tried)), passed])
    await Promise.all(all.filter(({ name }) => called.startsWith(`${name}_`)).map(({ tried }) => tried))
  }

  function tellAll() {
    for (const list of ['tools', 'prompts', 'resources'] as const) tell({ list })
  }

  function tell(change: Change) {
    instructed.clear()
    changes.emit(change)
  }

  async function close() {
    changes.close()
    following.close()
    watched.close()
    await Promise.all([...mounts.values()].map(({ close }) => close()))
  }
}
