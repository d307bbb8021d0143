import type { ListedRunner } from '../../../src/protocol/frames/driving.ts'
import type { Catalogue, LaunchableAgent } from '../../../src/protocol/frames/launching.ts'
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
  /** The runner of the conversation that the person comes from. */
  readonly lastRunner: string | undefined
}

type Choice = { runner: string } | { agent: string }

/** With whom and where the person wants to begin; until they choose, as they did last. */
export class Wanted {
  mode = $state<string>()
  model = $state<string>()
  /** A new working tree, in this branch. */
  branch = $state<string>()
  readonly #known: Known
  #choice = $state.raw<Choice>()
  #place = $state.raw<Place>()

  constructor(known: Known) {
    this.#known = known
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
  get offered(): Pick<ListedRunner, 'modes' | 'models'> {
    const { runner, agent, place } = this
    if (runner || !agent) return runner ?? {}
    const told = this.#known.runners.filter(
      ({ launched, modes, models }) => launched?.agent === agent.id && (modes || models),
    )
    return told.find(({ folder }) => folder === place?.folder) ?? told[0] ?? {}
  }

  /** Nothing as long as something is missing. */
  get request(): StartRequest | undefined {
    const { runner, agent, place, mode, model } = this
    if (runner) return { runner: runner.name, mode, model }
    if (!agent || !canBegin(agent) || !place) return undefined
    const branch = place.branch === undefined ? undefined : this.branch?.trim()
    if (branch === '') return undefined
    const worktree = branch === undefined ? {} : { worktree: { branch } }
    return { agent: agent.id, folder: place.folder, ...worktree, mode, model }
  }

  choose(choice: Choice) {
    this.#choice = choice
    this.mode = this.model = undefined
  }

  chooseFolder({ folder, branch }: Place) {
    this.#place = { folder, branch }
    this.branch = undefined
  }

  get #agents(): LaunchableAgent[] {
    return this.#known.catalogue?.agents ?? []
  }

  get #lastLaunched(): ListedRunner | undefined {
    const { runners, lastRunner, catalogue } = this.#known
    return catalogue && runners.find(({ name, launched }) => launched && name === lastRunner)
  }

  /** What the person would choose, the likeliest first. */
  get #likely(): Choice[] {
    const { lastRunner, catalogue } = this.#known
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
function canBegin({ state }: LaunchableAgent): boolean {
  return state === 'ready' || state === 'needs_sign_in'
}
