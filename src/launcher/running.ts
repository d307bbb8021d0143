import { descendantsOf } from '../io/descendants.ts'
import { MARK } from '../io/mark.ts'
import { usesOf } from '../io/programs/process-use.ts'
import type { RunningAgent } from '../protocol/frames/launching.ts'
import { agentWithId } from './catalogue.ts'
import type { LaunchedRunnerNote } from './lifecycle.ts'
import { isAlive } from './runner-process.ts'

interface RunningParts {
  runners(): readonly LaunchedRunnerNote[]
  awake(runner: string): string[]
  now(): number
}

/** What runners and all that they started take of the machine. */
export function createRunning({ runners, awake, now }: RunningParts) {
  /** What each had taken when somebody looked last. */
  let before = new Map<string, { at: number; cpuMs: number }>()
  return { all }

  function all(): RunningAgent[] {
    const at = now()
    const seen = new Map<string, { at: number; cpuMs: number }>()
    const running = runners().flatMap(({ name, agent, folder, process }): RunningAgent[] => {
      if (!process || !isAlive(process)) return []
      const { pid } = process
      // Nobody has that mark: these are its children, and theirs.
      const family = [pid, ...descendantsOf({ pid, mark: `${MARK}=runner ${pid}` }).map((one) => one.pid)]
      const uses = [...usesOf(family).values()]
      const about = { runner: name, agent: agentWithId(agent)?.name ?? agent, folder, conversations: awake(name), pid }
      if (uses.length === 0) return [about]
      const cpuMs = uses.reduce((sum, use) => sum + use.cpuMs, 0)
      const memory = uses.reduce((sum, use) => sum + use.memory, 0)
      seen.set(name, { at, cpuMs })
      const last = before.get(name)
      const cpu =
        last && at > last.at ? Math.max(0, Math.round((100 * (cpuMs - last.cpuMs)) / (at - last.at))) : undefined
      return [{ ...about, memory, ...(cpu !== undefined && { cpu }) }]
    })
    before = seen
    return running
  }
}
