import { isDeepStrictEqual } from 'node:util'
import type { FoundChoice, WantedChoices } from '../protocol/frames/asked/choices.ts'
import type { Runner } from '../protocol/frames/driving.ts'
import type { Notes } from './adapters.ts'

type Told = Pick<Runner, 'modes' | 'models'>
type List = WantedChoices['list']
/** All of a list of a runner, where that can be known. */
export type AllChoices = (runner: string, list: List) => Promise<FoundChoice[] | undefined>

interface AgentChoicesParts {
  notes: Notes
  /** Asks a runner that has a process. */
  all: AllChoices
}

const NOTE = 'choices of agents'
const LISTS = ['modes', 'models'] as const

/** The modes and models that each agent told last, wherever that was: they can be chosen before it has a process. */
export async function openAgentChoices({ notes, all }: AgentChoicesParts) {
  const known = new Map(Object.entries(((await notes.get(NOTE)) ?? {}) as Record<string, Told>))
  /** Long lists that were asked for, each by what was told of it. */
  const gathered = new Set<string>()
  return { of: (agent: string) => known.get(agent) ?? {}, learn, keep, gather, whole }

  /** Whether it was something new. */
  function learn(agent: string, { modes, models }: Told): boolean {
    const before = known.get(agent)
    const now = { ...before, ...(modes && { modes }), ...(models && { models }) }
    if (isDeepStrictEqual(now, before ?? {})) return false
    known.set(agent, now)
    return true
  }

  async function keep(agent: string) {
    await notes.change(NOTE, (value) => ({ ...(value as object), [agent]: known.get(agent) }))
  }

  /** Keeps what a message had no room for, of a runner that tells it now: it is looked through later, too. */
  async function gather(agent: string, runner: string, told: Told, process: number) {
    for (const list of LISTS) {
      const total = told[list]?.total
      const asked = JSON.stringify([agent, list, total, process])
      if (total === undefined || gathered.has(asked)) continue
      gathered.add(asked)
      const found = await all(runner, list)
      if (found) await notes.change(wholeOf(agent), (value) => ({ ...(value as object), [list]: found }))
      else gathered.delete(asked)
    }
  }

  async function whole(agent: string, list: List): Promise<FoundChoice[] | undefined> {
    return ((await notes.get(wholeOf(agent))) as { [Name in List]?: FoundChoice[] } | undefined)?.[list]
  }
}

function wholeOf(agent: string): string {
  return `all choices of ${agent}`
}
