import { join } from 'node:path'
import { CATALOGUE } from '../../../src/launcher/catalogue.ts'
import { commandOf } from '../../../src/protocol/text/command-words.ts'
import type { Wanted } from '../cli/from-registry.ts'
import { REAL_CLIENTS, type RealClient } from '../cli/real-clients.ts'

/** An agent that speaks ACP, as the registry has it, with a model of its own. */
export interface RealAgent extends Wanted, Pick<RealClient, 'wire' | 'files' | 'environment'> {
  /** It is given Parley itself, and not a server that cannot be started. */
  hasParley?: true
  /** How it is started, from what was installed there. */
  command(modules: string): string
}

/** By their ids in the catalogue. */
export const REAL_AGENTS: Record<string, RealAgent> = {
  claude: {
    ...setUpLike('claude'),
    ...adapterOf('claude'),
    environment: (url) => ({
      ...REAL_CLIENTS.claude?.environment?.(url),
      // Otherwise it does not run for root, as tests often do.
      IS_SANDBOX: '1',
    }),
  },
  codex: { ...setUpLike('codex'), ...adapterOf('codex'), hasParley: true },
  copilot: { ...itself('copilot', []), hasParley: true },
  gemini: itself('gemini'),
  kimi: { ...itself('kimi'), hasParley: true },
  opencode: itself('opencode', []),
  qwen: itself('qwen'),
}

/** One that needs no other program to speak ACP: a script, or a program of its own. */
function itself(id: string, runs: string[] = [process.execPath]): RealAgent {
  const client = clientWith(id)
  const { args = [] } = CATALOGUE.find((agent) => agent.id === id) ?? {}
  return { ...client, command: (modules) => commandOf([...runs, client.path(modules), ...args]) }
}

function adapterOf(id: string): Wanted & Pick<RealAgent, 'command'> {
  const { adapter } = CATALOGUE.find((agent) => agent.id === id) ?? {}
  if (!adapter) throw new Error(`${id} has no adapter`)
  const { package: name, version, program } = adapter
  return {
    package: name,
    version,
    command: (modules) => commandOf([process.execPath, join(modules, '.bin', program)]),
  }
}

function setUpLike(id: string): Pick<RealAgent, 'wire' | 'files' | 'environment'> {
  const { wire, files, environment } = clientWith(id)
  return { wire, files, environment }
}

function clientWith(id: string): RealClient {
  const client = REAL_CLIENTS[id]
  if (!client) throw new Error(`There is no client ${id}`)
  return client
}
