import { basename } from 'node:path'
import { endOrphans } from '../../io/family.ts'
import { commandWords } from '../../protocol/text/command-words.ts'
import { agentEnvironment } from '../agent-environment.ts'
import type { DrivenSession, Driver, SessionWanted } from '../driver.ts'
import { type AgentProcess, startProcess } from '../process.ts'
import { connectAgent } from './connection.ts'
import { ASKING_ENVIRONMENT } from './known-agents.ts'
import { sessionsOf } from './past/listing.ts'
import { PATIENCE } from './patience.ts'
import { openAgent } from './session.ts'

interface AcpOptions {
  command: string
  /** How people see the agent; from the command if it is absent. */
  name?: string
  environment?: Record<string, string>
}

/** Drives an agent that speaks the Agent Client Protocol: one process for each session. */
export function acpDriver({ command, name = nameIn(command), environment }: AcpOptions, patience = PATIENCE): Driver {
  const running = new Set<AgentProcess>()
  const opened = new Set<string>()
  let haveLooked = false
  return { name, start, sessions }

  async function start(wanted: SessionWanted): Promise<DrivenSession> {
    const { data, stdio } = wanted.parley
    const spared = stdio.args[0]
    if (!haveLooked) endOrphans({ data, spared })
    haveLooked = true
    const agent = await startProcess({
      command,
      folder: wanted.folder,
      environment: { ...ASKING_ENVIRONMENT, ...agentEnvironment(), ...environment },
      data,
      spared,
      endMs: patience.endMs,
    })
    keep(agent)
    return openAgent({ command, name, patience, process: agent, wanted, opened })
  }

  async function sessions(folder: string, data: string) {
    const agent = await startProcess({
      command,
      folder,
      environment: { ...agentEnvironment(), ...environment },
      data,
      endMs: patience.endMs,
    })
    keep(agent)
    const link = connectAgent({
      ...{ process: agent, command, name },
      heard() {},
      tooMuch() {},
      behind: () => undefined,
      update() {},
      permission: async () => ({ outcome: { outcome: 'cancelled' } }),
      elicitation: async () => ({ action: 'decline' }),
    })
    try {
      return await sessionsOf(link, await link.initialize(), folder)
    } catch (error) {
      throw await link.sentenceOf(error, undefined)
    } finally {
      await agent.kill()
    }
  }

  /** An orchestrator that is told to end takes its agents along, even where it has no time to let them end. */
  function keep(agent: AgentProcess) {
    if (running.size === 0) process.on('exit', killAllNow)
    running.add(agent)
    void agent.ended.then(() => {
      running.delete(agent)
      if (running.size === 0) process.off('exit', killAllNow)
    })
  }

  function killAllNow() {
    for (const agent of running) agent.killNow()
  }
}

/** The first word that is not what runs programs, nor an option of that. */
function nameIn(command: string): string {
  const words = commandWords(command).map((word) => basename(word))
  const own = words.find((word) => !/^(node|npx|bunx?|deno|env|uvx?)(\.exe)?$|^-|=/.test(word))
  return (own ?? words[0] ?? command).replace(/\.[cm]?[jt]s$/, '')
}
