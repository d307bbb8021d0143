import type { Driver } from '../../agents/driver.ts'
import { CATALOGUE } from '../../launcher/catalogue.ts'
import { commandOf } from '../../protocol/text/command-words.ts'
import { findHere } from './agents.ts'

/** Known agents that are installed here: what drives each, or why it cannot be started. */
export async function installedAgents(): Promise<{ driver?: Driver; problem?: string }[]> {
  const { acpDriver } = await import('../../agents/acp/driver.ts')
  return CATALOGUE.flatMap((agent) => {
    const { name, adapter } = agent
    const found = findHere(agent)
    if ('words' in found) return { driver: acpDriver({ command: commandOf(found.words), name }) }
    if (!('npx' in found) || !adapter) return []
    // Nothing is fetched that nobody allowed.
    const { package: wanted, version } = adapter
    return { problem: `${name} needs its adapter: npm install -g ${wanted}@${version}` }
  })
}
