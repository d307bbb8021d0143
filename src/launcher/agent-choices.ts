import { isDeepStrictEqual } from 'node:util'
import type { Runner } from '../protocol/frames/driving.ts'
import type { Notes } from './adapters.ts'

type Told = Pick<Runner, 'modes' | 'models'>

const NOTE = 'choices of agents'

/** The modes and models that each agent told last, wherever that was: they can be chosen before it has a process. */
export async function openAgentChoices(notes: Notes) {
  const known = new Map(Object.entries(((await notes.get(NOTE)) ?? {}) as Record<string, Told>))
  return { of: (agent: string) => known.get(agent) ?? {}, learn, keep }

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
}
