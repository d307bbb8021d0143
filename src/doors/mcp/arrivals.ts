import { createEmitter } from '../../io/emitter.ts'

/** What Parley itself connects to see that it works, or to be seen, is nobody's agent. */
const OWN = ['parley-connect', 'demo-agent']
const MOST = 20

/** The agents that have come to this hub and looked at its tools, by what their clients call themselves. */
export function createArrivals() {
  const names = new Set<string>()
  const changed = createEmitter()
  return { met, names: () => [...names], onChange: changed.on }

  function met(client: string) {
    if (OWN.includes(client) || names.has(client) || names.size === MOST) return
    names.add(client)
    changed.emit()
  }
}
