import { basename, dirname, join } from 'node:path'
import { branchOf } from '../io/programs/branch.ts'
import type { Launched, ListedRunner, Runner } from '../protocol/frames/driving.ts'
import { NAME, trimmedName } from '../protocol/text/name.ts'
import type { Notes } from './adapters.ts'
import { type AllChoices, openAgentChoices } from './agent-choices.ts'
import { agentWithId } from './catalogue.ts'
import { createLifecycle, type LaunchedRunnerNote, type Lifecycle, type LifecycleSurroundings } from './lifecycle.ts'

/** The runners as the chat knows them. */
export interface KnownRunners {
  offered(): Runner[]
  onChange(changed: () => void): { close(): void }
  launch(runner: ListedRunner): void
}

/** What runners have to do. */
export interface Owed {
  by(runner: string): { conversation: string; given: boolean }[]
  onWanted(wanted: (runner: string) => void): { close(): void }
}

export interface LaunchedRunnersParts extends LifecycleSurroundings {
  notes: Notes
  runners: KnownRunners
  owed: Owed
  /** What runners can do, as a whole, and who keeps it of those that have no process. */
  choices: {
    all: AllChoices
    keptBy(kept: AllChoices): void
  }
}

const NOTE = 'launched runners'
const MAX_SESSIONS = 5

/** The runners that the hub starts when they are needed and ends when they are not. */
export async function openLaunchedRunners(parts: LaunchedRunnersParts) {
  const { notes, runners, owed, report } = parts
  const kept = ((await notes.get(NOTE)) ?? []) as LaunchedRunnerNote[]
  const choices = await openAgentChoices({ notes, all: parts.choices.all })
  parts.choices.keptBy(async (runner, list) => {
    const { agent } = kept.find(({ name }) => name === runner) ?? {}
    return agent === undefined ? undefined : choices.whole(agent, list)
  })
  const all = new Map<string, Lifecycle>()
  /** Tells people of a runner. */
  const tells = new Map<string, () => void>()
  for (const note of kept) add(note)
  const following = [
    runners.onChange(look),
    runners.onChange(learn),
    owed.onWanted((runner) => all.get(runner)?.wanted()),
  ]
  return { runnerFor, known, wantsSignIn, beginAll, look, stop, atWork, all: () => kept, leave, end }

  /** The one of this agent in this folder. */
  async function runnerFor(agent: string, folder: string): Promise<string> {
    const before = known(agent, folder)
    if (before !== undefined) return before
    const note = { name: newName(agent, folder), agent, folder }
    kept.push(note)
    // Before anything is awaited, or another folder could get the same name.
    add(note)
    await keep()
    return note.name
  }

  function known(agent: string, folder: string): string | undefined {
    return kept.find((one) => one.agent === agent && one.folder === folder)?.name
  }

  function add(note: LaunchedRunnerNote) {
    const { name, agent, folder } = note
    let shown: ListedRunner | undefined
    let branch: string | undefined
    const tell = () =>
      shown && runners.launch({ ...shown, ...choices.of(agent), ...(branch !== undefined && { branch }) })
    tells.set(name, tell)
    const lifecycle = createLifecycle({
      ...parts,
      note,
      isOffered: () => runners.offered().some((runner) => runner.name === name),
      started(process) {
        note.process = process
        keep().catch(report)
      },
      show(process: Launched['process'], problem?: string) {
        const about = { name, folder, agent: agentWithId(agent)?.name ?? agent, max_sessions: MAX_SESSIONS }
        shown = { ...about, ...(problem !== undefined && { problem }), launched: { agent, process } }
        tell()
        branchOf(folder)
          .then((now) => {
            branch = now
            tell()
          })
          .catch(report)
      },
    })
    all.set(name, lifecycle)
  }

  /** What one runner tells of its agent counts for all that have none to ask. */
  function learn() {
    const offered = new Map(runners.offered().map((runner) => [runner.name, runner]))
    for (const { name, agent, process } of kept)
      choices.gather(agent, name, offered.get(name) ?? {}, process?.pid ?? 0).catch(report)
    const learned = new Set(
      kept.flatMap(({ name, agent }) => (choices.learn(agent, offered.get(name) ?? {}) ? agent : [])),
    )
    if (learned.size === 0) return
    for (const agent of learned) choices.keep(agent).catch(report)
    for (const { name, agent } of kept) if (learned.has(agent)) tells.get(name)?.()
  }

  /** As its newest runner says. */
  function wantsSignIn(agent: string): boolean {
    const names = new Set(kept.flatMap((one) => (one.agent === agent ? one.name : [])))
    return runners.offered().some(({ name, login }) => login === true && names.has(name))
  }

  /** What was said while there was no hub, and what runners of the hub before this one were doing. */
  function beginAll() {
    for (const lifecycle of all.values()) lifecycle.begin()
  }

  function look() {
    for (const lifecycle of all.values()) lifecycle.look()
  }

  /** The conversations whose agents are awake, or are about to be. */
  function atWork(): Set<string> {
    return new Set(kept.flatMap(({ name }) => all.get(name)?.atWork() ?? []))
  }

  /** One of them, or all. */
  function stop(runner?: string) {
    for (const [name, lifecycle] of all) if (runner === undefined || name === runner) lifecycle.stop()
  }

  async function keep() {
    await notes.change(NOTE, () => kept)
  }

  /** Nobody else's: folders of the same name are told apart by more of their paths. */
  function newName(agent: string, folder: string): string {
    const taken = new Set([...all.keys(), ...runners.offered().map(({ name }) => name)])
    const title = agentWithId(agent)?.name ?? agent
    let shown = basename(folder) || folder
    for (let above = dirname(folder); ; above = dirname(above)) {
      const name = offerable(`${title} in ${shown}`)
      if (!taken.has(name) && name.length <= NAME.longest) return name
      if (above === dirname(above) || name.length > NAME.longest) break
      shown = join(basename(above), shown)
    }
    for (let number = 2; ; number++) {
      const name = offerable(`${title} in ${basename(folder).slice(0, NAME.longest / 2)} ${number}`)
      if (!taken.has(name)) return name
    }
  }

  /** Starts and ends none of them any more. */
  function leave() {
    for (const { close } of following) close()
    for (const lifecycle of all.values()) lifecycle.leave()
  }

  /** Ends the processes, in good order as far as there is time. */
  async function end() {
    leave()
    await Promise.all([...all.values()].map((lifecycle) => lifecycle.end()))
  }
}

/** As the runner will be known: folders may be called what no name may be. */
function offerable(name: string): string {
  return trimmedName(name.replace(/\p{Cc}+/gu, ' '))
}
