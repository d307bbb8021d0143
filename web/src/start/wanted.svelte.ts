import type { ListedRunner } from '../../../src/protocol/frames/driving.ts'
import type { Catalogue, LaunchableAgent } from '../../../src/protocol/frames/launching.ts'
import type { Beginning } from './beginning.svelte.ts'
import type { KeptSession } from './pickers/kept-sessions.svelte.ts'
import type { StartRequest } from './starting.svelte.ts'

/** A folder to work in; one without a branch is in no repository. */
export interface Place {
  folder: string
  branch?: string
}

interface Known {
  /** Without it the hub starts nothing for this person. */
  readonly catalogue: Catalogue | undefined
  readonly runners: readonly ListedRunner[]
  /** The conversation that the person comes from. */
  readonly last?: { runner?: string; mode?: string; model?: string }
}

/** Of a conversation that another one goes on from. */
type Fork = NonNullable<Beginning['fork']>
type Choice = { runner: string } | { agent: string }

/** With whom and where the person wants to begin; until they choose, as they did last. */
export class Wanted {
  mode = $state<string>()
  model = $state<string>()
  /** A new working tree, in this branch. */
  branch = $state<string>()
  /** What it goes on from, if that is something. */
  resume = $state.raw<KeptSession>()
  fork = $state.raw<Fork>()
  readonly #known: Known
  #choice = $state.raw<Choice>()
  #place = $state.raw<Place>()

  constructor(known: Known, { fork, again }: Beginning = {}) {
    this.#known = known
    this.fork = fork
    // As it was there, until another agent is chosen.
    if (fork || again) ({ mode: this.mode, model: this.model } = known.last ?? {})
  }

  /** Agents that are on the machine of the hub. */
  get installed(): LaunchableAgent[] {
    return this.#agents.filter(isInstalled)
  }

  get missing(): LaunchableAgent[] {
    return this.#agents.filter((agent) => !isInstalled(agent))
  }

  /** Runners that people started: those of the hub's own are agents in folders. */
  get started(): ListedRunner[] {
    const { catalogue, runners } = this.#known
    return runners.filter(({ failed_at, launched }) => failed_at === undefined && !(catalogue && launched))
  }

  /** The runner that is chosen, if it is one that a person started. */
  get runner(): ListedRunner | undefined {
    const { choice } = this
    return choice && 'runner' in choice ? this.started.find(({ name }) => name === choice.runner) : undefined
  }

  get agent(): LaunchableAgent | undefined {
    const { choice } = this
    return choice && 'agent' in choice ? this.installed.find(({ id }) => id === choice.agent) : undefined
  }

  get place(): Place | undefined {
    if (this.#place) return this.#place
    const folder = this.#lastLaunched?.folder
    const { recent = [] } = this.#known.catalogue ?? {}
    return recent.find((one) => one.folder === folder) ?? (folder === undefined ? recent[0] : { folder })
  }

  get choice(): Choice | undefined {
    const chosen = this.#choice
    if (chosen && this.#canBe(chosen)) return chosen
    return this.#likely.find((choice) => this.#canBe(choice))
  }

  /** Modes and models: those of the runner, or of the agent wherever it told them. */
  get offered(): Partial<Pick<ListedRunner, 'name' | 'modes' | 'models'>> {
    const { runner, agent, place } = this
    if (runner || !agent) return runner ?? {}
    const told = this.#known.runners.filter(
      ({ launched, modes, models }) => launched?.agent === agent.id && (modes || models),
    )
    return told.find(({ folder }) => folder === place?.folder) ?? told[0] ?? {}
  }

  /** Nothing as long as something is missing. */
  get request(): StartRequest | undefined {
    const { runner, agent, place, mode, model, resume, fork } = this
    const from = fork && { from: { conversation: fork.of.id, entry: fork.entry } }
    if (runner) return { runner: runner.name, mode, model, ...from }
    if (!agent || !canBegin(agent) || !place) return undefined
    if (resume) return { agent: agent.id, folder: place.folder, mode, model, resume: resume.id }
    const branch = place.branch === undefined ? undefined : this.branch?.trim()
    if (branch === '') return undefined
    const worktree = branch === undefined ? {} : { worktree: { branch } }
    return { agent: agent.id, folder: place.folder, ...worktree, mode, model, ...from }
  }

  /** A session of the agent or another conversation, and what of it comes along. */
  get goesOnFrom(): { title: string; comes: string } | undefined {
    const { resume, fork } = this
    if (resume) return { title: resume.title ?? resume.id, comes: 'What was said there comes along.' }
    const place = fork?.entry === undefined ? 'there' : 'up to there'
    return fork && { title: fork.of.state.title, comes: `What was said ${place} comes along.` }
  }

  beginNew() {
    this.resume = this.fork = undefined
  }

  choose(choice: Choice) {
    this.#choice = choice
    this.mode = this.model = this.resume = undefined
  }

  chooseFolder({ folder, branch }: Place) {
    this.#place = { folder, branch }
    this.branch = this.resume = undefined
  }

  get #agents(): LaunchableAgent[] {
    return this.#known.catalogue?.agents ?? []
  }

  get #lastLaunched(): ListedRunner | undefined {
    const { runners, last, catalogue } = this.#known
    return catalogue && runners.find(({ name, launched }) => launched && name === last?.runner)
  }

  /** What the person would choose, the likeliest first. */
  get #likely(): Choice[] {
    const { last: { runner: lastRunner } = {}, catalogue } = this.#known
    const last = this.#lastLaunched?.launched ?? catalogue?.recent[0]
    return [
      ...(lastRunner === undefined ? [] : [{ runner: lastRunner }]),
      ...(last?.agent === undefined ? [] : [{ agent: last.agent }]),
      ...this.started.map(({ name }) => ({ runner: name })),
      ...this.installed.filter(canBegin).map(({ id }) => ({ agent: id })),
      ...this.installed.map(({ id }) => ({ agent: id })),
    ]
  }

  #canBe(choice: Choice): boolean {
    if ('agent' in choice) return this.installed.some(({ id }) => id === choice.agent)
    return this.started.some(({ name, problem }) => name === choice.runner && problem === undefined)
  }
}

function isInstalled({ state }: LaunchableAgent): boolean {
  return state !== 'not_installed'
}

/** One that wants a login is tried: somebody may have signed in since. */
export function canBegin({ state }: LaunchableAgent): boolean {
  return state === 'ready' || state === 'needs_sign_in'
}
