import type { LaunchableAgent } from '../protocol/frames/launching.ts'
import type { CatalogueAgent } from './catalogue.ts'
import type { Found } from './finding.ts'

/** What is to be done before an agent can be started here, as far as its programs tell. */
export function describeAgent(
  { name, program, adapter, install }: CatalogueAgent,
  found: Found,
): Pick<LaunchableAgent, 'state' | 'hint'> {
  if ('words' in found) return { state: 'ready' }
  const { package: wanted = '', version = '' } = adapter ?? {}
  if ('npx' in found) {
    const hint = `${name} needs ${wanted} ${version}, which is fetched from the npm registry when you allow it`
    return { state: 'needs_adapter', hint }
  }
  if (found.missing === 'agent') return { state: 'not_installed', hint: `${name} is not installed: ${install}` }
  return {
    state: 'not_installed',
    hint: `${program} needs npm for its adapter: install npm, or ${adapter?.program} yourself`,
  }
}
