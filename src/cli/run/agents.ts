import { CATALOGUE, type CatalogueAgent } from '../../launcher/catalogue.ts'
import { describeAgent } from '../../launcher/describing.ts'
import { type Found, findAgent } from '../../launcher/finding.ts'
import { commandOf } from '../../protocol/text/command-words.ts'
import type { Typed } from '../program.ts'
import { table } from '../table.ts'

const STATES = {
  ready: 'installed',
  needs_adapter: 'needs its adapter',
  not_installed: 'not installed',
  needs_sign_in: '',
}

/** Prints the known agents, as this machine has them. */
export async function listAgents({ flags }: Pick<Typed, 'flags'>) {
  const all = CATALOGUE.map((agent) => {
    const { id, name, login, limits = [] } = agent
    const found = findHere(agent)
    return { id, name, ...describeAgent(agent, found), start: startOf(agent, found), login, limits }
  })
  if (flags.json !== undefined) return console.log(JSON.stringify(all, null, 2))
  const rows = all.map(({ name, state, start, login }) => [name, STATES[state], start, login])
  console.log(table([['agent', 'state', 'started by', 'sign in'], ...rows]))
}

export function findHere(agent: CatalogueAgent): Found {
  return findAgent(agent, { env: process.env, platform: process.platform })
}

/** What starts it, or would. */
function startOf({ program, args = [], adapter }: CatalogueAgent, found: Found): string {
  if ('words' in found) return commandOf(found.words)
  return adapter ? `npx ${adapter.package}@${adapter.version}` : commandOf([program, ...args])
}
