import type { Hello } from '../../../protocol/frames/link.ts'
import type { Surface } from '../surface.ts'
import { agentSurface } from './agent-surface.ts'
import type { AgentSurfaceParts } from './bridge-surface.ts'

/** What an agent has to talk with that is driven: a model is spoken for by its driver. */
export function drivenSurface(driven: Hello['driven'], parts: AgentSurfaceParts): Surface | undefined {
  if (driven === 'agent') return { ...agentSurface(parts), name: 'parley-gateway' }
  return driven === 'model' ? { name: 'parley-gateway', instructions: '', tools: [] } : undefined
}
