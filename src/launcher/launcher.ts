import { homedir } from 'node:os'
import { join } from 'node:path'
import { type Clock, systemClock } from '../io/clock.ts'
import { createEmitter } from '../io/emitter.ts'
import { endOrphans } from '../io/family.ts'
import { ParleyError } from '../protocol/errors.ts'
import type {
  Beginner,
  Catalogue,
  FolderPage,
  Launch,
  LaunchableAgent,
  SessionPage,
} from '../protocol/frames/launching.ts'
import { mustBeAble, type Principal } from '../protocol/principal.ts'
import { type Notes, openAdapters } from './adapters.ts'
import { agentWithId, CATALOGUE, type CatalogueAgent } from './catalogue.ts'
import { describeAgent } from './describing.ts'
import { createFolderFiles } from './files/folder-files.ts'
import { type Found, findAgent } from './finding.ts'
import { createFolders } from './folders.ts'
import { createKeptSessions } from './kept-sessions.ts'
import { type KnownRunners, type LaunchedRunnersParts, openLaunchedRunners } from './launched-runners.ts'
import type { LaunchedRunnerNote } from './lifecycle.ts'
import { createRecentFolders } from './recent-folders.ts'
import { startRunner } from './runner-process.ts'
import { createRunning } from './running.ts'
import { createSleepingFolders, type LookAsleep } from './sleeping-folders.ts'
import { createStarts } from './starts.ts'
import { createWorktrees } from './worktrees.ts'

interface LauncherParts extends Pick<LaunchedRunnersParts, 'owed' | 'choices' | 'awake' | 'tell' | 'report'> {
  data: string
  /** Folders that the owner named; the home folder where there are none. */
  roots: readonly string[]
  /** The settings of this hub, for the next one. */
  given: Record<string, string>
  notes: Notes
  runners: KnownRunners
  /** What a person types to connect agents, and to see the demo. */
  commands: Catalogue['commands']
  /** The agents that have come to this hub. */
  arrivals: { names(): string[]; onChange(changed: () => void): { close(): void } }
  /** Takes who looks at the folders of runners that have no process. */
  lookedAtBy(look: LookAsleep): void
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
  const starts = createStarts()
  const adapters = await openAdapters({ notes, data, changed: changed.emit })
  const launched = await openLaunchedRunners({ ...parts, notes, clock, runners, prepare })
  const running = createRunning({ runners: launched.all, awake: parts.awake, now: clock.now })
  const files = createFolderFiles({ folders, now: clock.now })
  const kept = createKeptSessions({ data, now: clock.now })
  parts.lookedAtBy(createSleepingFolders({ data, folders, runners: launched.all }).look)
  const { commands, arrivals } = parts
  const following = [runners.onChange(changed.emit), arrivals.onChange(changed.emit)]
  return { as, beginAll: launched.beginAll, look: launched.look, endAll, close }

  /** What a principal may do who can lose that at any time; `now` throws where they may not even call any more. */
  function as(now: () => Principal) {
    return {
      catalogue: acting((person) => catalogueFor(person)),
      browse: acting(
        (_, folder: string | undefined, after?: string): Promise<FolderPage> => folders.browse(folder, after),
      ),
      findFiles: acting((_, folder: string, query: string) => files.find(folder, query)),
      showFile: acting((_, folder: string, path: string) => files.show(folder, path)),
      sessions: acting((_, agent: string, folder: string, after?: string) =>
        sessionsIn({ id: agent, folder, after }, mustBeAllowed),
      ),
      sessionTitle: acting(async (_, agent: string, folder: string, session: string) =>
        kept.titleOf(agent, folder, session),
      ),
      allowAdapter: acting((_, id: string, version: string) => allowAdapter(id, version)),
      begin,
      running: acting(async () => running.all()),
      stop: acting(async (_, runner?: string) => launched.stop(runner)),
      onChange: changed.on,
    }

    /** Begins a conversation with the runner that does it; a repeated wish makes nothing twice. */
    async function begin<Begun>({ more, ...wanted }: Launch, beginner: Beginner<Begun>) {
      const person = mustBeAllowed()
      const command = `${person} ${beginner.key}`
      let count = 0
      const isFull = () => {
        count = starts.countWith(launched.atWork())
        return count >= MANY && !more && !starts.has(command)
      }
      // Some that come may be awake already.
      if (isFull()) await starts.named()
      if (isFull() && !(await hasBegun(wanted, beginner)))
        throw new ParleyError('many_agents', { count: String(count) })
      return starts.during(command, async (isOf) => {
        const known = await knownRunner(wanted)
        if (known !== undefined) isOf(await beginner.nameWith(known))
        return async () => {
          const runner = await runnerFor(wanted, person)
          isOf(await beginner.nameWith(runner))
          // A working tree takes its time.
          mustBeAllowed()
          return beginner.begin(runner)
        }
      })
    }

    function acting<Args extends unknown[], Result>(act: (person: string, ...args: Args) => Promise<Result>) {
      return async (...args: Args): Promise<Result> => act(mustBeAllowed(), ...args)
    }

    /** Answers who it is. */
    function mustBeAllowed(): string {
      const principal = now()
      mustBeAble(principal, 'administer')
      return principal.id
    }
  }

  async function catalogueFor(person: string): Promise<Catalogue> {
    const agents = CATALOGUE.map(shown)
    const allowed = await folders.existing()
    return { agents, recent: await recent.of(person), roots: allowed, commands, arrived: arrivals.names() }
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

  /** Whether it has begun already, of a command that comes again. */
  async function hasBegun(wanted: Launch, beginner: Beginner<unknown>): Promise<boolean> {
    const runner = await knownRunner(wanted)
    return runner !== undefined && beginner.hasBegun(runner)
  }

  /** The runner that does it, where there is one; nothing is made for it. */
  async function knownRunner(wanted: Launch): Promise<string | undefined> {
    if ('runner' in wanted) return wanted.runner
    const { agent: id, folder, worktree } = wanted
    const agent = mustBeKnown(id)
    mustBeThere(agent, find(agent))
    const real = await folders.mustBeAllowed(folder)
    const place = worktree ? await worktrees.find(real, worktree.branch) : real
    return place === undefined ? undefined : launched.known(id, place)
  }

  async function runnerFor(wanted: Launch, person: string): Promise<string> {
    if ('runner' in wanted) return wanted.runner
    const { agent: id, folder, worktree } = wanted
    const agent = mustBeKnown(id)
    mustBeThere(agent, find(agent))
    const real = await folders.mustBeAllowed(folder)
    const place = worktree ? await worktrees.add(real, worktree.branch) : real
    await recent.add(person, place, id)
    return launched.runnerFor(id, place)
  }

  /** What starts a runner at once, when it has been looked at everything once more. */
  async function prepare({ name, agent: id, folder }: LaunchedRunnerNote) {
    const agent = mustBeKnown(id)
    const words = await wordsIn(agent, folder)
    return () => startRunner({ name, agent: agent.name, words, folder, data, given })
  }

  /** What starts an agent in a folder, or why nothing does. The folder may be a link by now, and the agent gone. */
  async function wordsIn(agent: CatalogueAgent, folder: string): Promise<string[]> {
    const words = await wordsFor(agent)
    // Last of all, since an adapter takes minutes.
    const real = await folders.mustBeAllowed(folder)
    if (real !== folder) throw new ParleyError('folder_gone', { folder })
    return words
  }

  async function wordsFor(agent: CatalogueAgent): Promise<string[]> {
    const found = find(agent)
    mustBeThere(agent, found)
    if ('words' in found) return found.words
    return 'npx' in found && agent.adapter ? [await adapters.fetch(agent.adapter, found.npx)] : []
  }

  async function sessionsIn(
    { id, folder, after }: { id: string; folder: string; after?: string },
    mustBeAllowed: () => void,
  ): Promise<SessionPage> {
    const agent = mustBeKnown(id)
    const real = await folders.mustBeAllowed(folder)
    return kept.page({ agent, folder: real, after }, async () => {
      const words = await wordsIn(agent, real)
      // Others were answered first, and an adapter was fetched.
      mustBeAllowed()
      return words
    })
  }

  function mustBeThere(agent: CatalogueAgent, found: Found) {
    if ('missing' in found) throw new ParleyError('agent_missing', { hint: describeAgent(agent, found).hint ?? '' })
    if ('npx' in found && agent.adapter && !adapters.isAllowed(agent.adapter)) throw wantsAdapter(agent)
  }

  /** Starts nothing more; what has a process goes on, for the next hub. */
  function close() {
    for (const { close } of following) close()
    changed.close()
    adapters.close()
    launched.leave()
  }

  /** The hub ends, and nothing that it started outlives it. */
  async function endAll() {
    adapters.close()
    await launched.end()
    // One that had to be killed leaves its agents. To look through all processes takes its time.
    if (launched.all().length > 0) endOrphans({ data })
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
