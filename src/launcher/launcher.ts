import { homedir } from 'node:os'
import { join } from 'node:path'
import { type Clock, systemClock } from '../io/clock.ts'
import { createEmitter } from '../io/emitter.ts'
import { endOrphans } from '../io/family.ts'
import { ParleyError } from '../protocol/errors.ts'
import type { Catalogue, FolderPage, Launch, LaunchableAgent, SessionPage } from '../protocol/frames/launching.ts'
import { mustBeAble, type Principal } from '../protocol/principal.ts'
import { type Notes, openAdapters } from './adapters.ts'
import { agentWithId, CATALOGUE, type CatalogueAgent } from './catalogue.ts'
import { describeAgent } from './describing.ts'
import { type Found, findAgent } from './finding.ts'
import { createFolders } from './folders.ts'
import { createKeptSessions } from './kept-sessions.ts'
import { type KnownRunners, type LaunchedRunnersParts, openLaunchedRunners } from './launched-runners.ts'
import type { LaunchedRunnerNote } from './lifecycle.ts'
import { createRecentFolders } from './recent-folders.ts'
import { startRunner } from './runner-process.ts'
import { createRunning } from './running.ts'
import { createWorktrees } from './worktrees.ts'

interface LauncherParts extends Pick<LaunchedRunnersParts, 'owed' | 'awake' | 'tell' | 'report'> {
  data: string
  /** Folders that the owner named; the home folder where there are none. */
  roots: readonly string[]
  /** The settings of this hub, for the next one. */
  given: Record<string, string>
  notes: Notes
  runners: KnownRunners
  clock?: Clock
}

/** One more is asked about. */
const MANY = 8

/** Starts agents on this machine, for those who may administer the hub, and for nobody else. */
export async function openLauncher({ data, given, notes, runners, clock = systemClock, ...parts }: LauncherParts) {
  const roots = parts.roots.length > 0 ? parts.roots : [homedir()]
  const place = join(data, 'worktrees')
  const folders = createFolders(roots, [place])
  const worktrees = createWorktrees({ place, folders })
  const recent = createRecentFolders(notes, clock.now)
  const changed = createEmitter()
  /** Conversations that begin now, and that nobody else knows of yet. */
  let coming = 0
  const adapters = await openAdapters({ notes, data, changed: changed.emit })
  const launched = await openLaunchedRunners({ ...parts, notes, clock, runners, start })
  const running = createRunning({ runners: launched.all, awake: parts.awake, now: clock.now })
  const kept = createKeptSessions({ data, now: clock.now })
  const signIns = runners.onChange(changed.emit)
  return { as, beginAll: launched.beginAll, look: launched.look, close }

  /** What this principal may do. */
  function as(principal: Principal) {
    return {
      catalogue: acting(() => catalogueFor(principal.id)),
      browse: acting(
        (folder: string | undefined, after?: string): Promise<FolderPage> => folders.browse(folder, after),
      ),
      sessions: acting((agent: string, folder: string, after?: string) => sessionsIn(agent, folder, after)),
      sessionTitle: acting(async (agent: string, folder: string, session: string) =>
        kept.titleOf(agent, folder, session),
      ),
      allowAdapter: acting((id: string, version: string) => allowAdapter(id, version)),
      begin,
      running: acting(async () => running.all()),
      stop: acting(async (runner?: string) => launched.stop(runner)),
      onChange: changed.on,
    }

    /** Begins a conversation with the runner that does it; a repeated wish makes nothing twice. */
    async function begin<Begun>({ more, ...wanted }: Launch, beginWith: (runner: string) => Promise<Begun>) {
      mustBeAble(principal, 'administer')
      const count = launched.atWork() + coming
      if (count >= MANY && !more) throw new ParleyError('many_agents', { count: String(count) })
      coming++
      try {
        return await beginWith(await prepare(wanted, principal.id))
      } finally {
        coming--
      }
    }

    function acting<Args extends unknown[], Result>(act: (...args: Args) => Promise<Result>) {
      return async (...args: Args): Promise<Result> => {
        mustBeAble(principal, 'administer')
        return act(...args)
      }
    }
  }

  async function catalogueFor(person: string): Promise<Catalogue> {
    const agents = CATALOGUE.map(shown)
    const allowed = await folders.existing()
    return { agents, recent: await recent.of(person), roots: allowed }
  }

  function shown(agent: CatalogueAgent): LaunchableAgent {
    const { id, name, adapter, login, limits } = agent
    const about = { id, name, ...(limits && { limits: [...limits] }) }
    const found = find(agent)
    const described = describeAgent(agent, found)
    if ('missing' in found) return { ...about, ...described }
    if ('npx' in found && adapter && !adapters.isAllowed(adapter)) {
      const { package: wanted, version } = adapter
      const fetching = adapters.isFetching(adapter) && { fetching: true as const }
      return { ...about, ...described, adapter: { package: wanted, version, ...fetching } }
    }
    if (launched.wantsSignIn(id))
      return { ...about, state: 'needs_sign_in', hint: `Sign in first: run ${login} in a terminal` }
    return { ...about, state: 'ready' }
  }

  async function allowAdapter(id: string, version: string): Promise<void> {
    const agent = mustBeKnown(id)
    const found = find(agent)
    if (!('npx' in found) || !agent.adapter) return
    // What was shown is what is fetched.
    if (version !== agent.adapter.version) throw wantsAdapter(agent)
    await adapters.fetch(agent.adapter, found.npx)
  }

  async function prepare(wanted: Launch, person: string): Promise<string> {
    if ('runner' in wanted) return wanted.runner
    const { agent: id, folder, worktree } = wanted
    const agent = mustBeKnown(id)
    mustBeThere(agent, find(agent))
    const real = await folders.mustBeAllowed(folder)
    const place = worktree ? await worktrees.add(real, worktree.branch) : real
    await recent.add(person, place, id)
    return launched.runnerFor(id, place)
  }

  /** Everything is looked at once more: the folder may be a link by now, and the agent gone. */
  async function start({ name, agent: id, folder }: LaunchedRunnerNote) {
    const agent = mustBeKnown(id)
    const real = await folders.mustBeAllowed(folder)
    if (real !== folder) throw new ParleyError('folder_gone', { folder })
    return startRunner({ name, agent: agent.name, words: await wordsFor(agent), folder, data, given })
  }

  /** What starts it, or why nothing does. */
  async function wordsFor(agent: CatalogueAgent): Promise<string[]> {
    const found = find(agent)
    mustBeThere(agent, found)
    if ('words' in found) return found.words
    return 'npx' in found && agent.adapter ? [await adapters.fetch(agent.adapter, found.npx)] : []
  }

  async function sessionsIn(id: string, folder: string, after?: string): Promise<SessionPage> {
    const agent = mustBeKnown(id)
    const real = await folders.mustBeAllowed(folder)
    return kept.page(agent, real, await wordsFor(agent), after)
  }

  function mustBeThere(agent: CatalogueAgent, found: Found) {
    if ('missing' in found) throw new ParleyError('agent_missing', { hint: describeAgent(agent, found).hint ?? '' })
    if ('npx' in found && agent.adapter && !adapters.isAllowed(agent.adapter)) throw wantsAdapter(agent)
  }

  async function close() {
    signIns.close()
    changed.close()
    await launched.end()
    // One that had to be killed leaves its agents.
    endOrphans({ data })
  }
}

function find(agent: CatalogueAgent): Found {
  return findAgent(agent, { env: process.env, platform: process.platform })
}

function mustBeKnown(id: string): CatalogueAgent {
  const agent = agentWithId(id)
  if (!agent) throw new ParleyError('unknown_agent', { agent: id, known: CATALOGUE.map((one) => one.id).join(', ') })
  return agent
}

function wantsAdapter({ name, adapter }: CatalogueAgent): ParleyError {
  return new ParleyError('adapter_wanted', {
    agent: name,
    package: adapter?.package ?? '',
    version: adapter?.version ?? '',
  })
}
