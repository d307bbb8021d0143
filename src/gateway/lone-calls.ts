import { ParleyError } from '../protocol/errors.ts'
import type { CallResult, LoneCall, LoneCalls } from '../protocol/gateway.ts'
import type { Gateway } from './gateway.ts'
import { beginCall } from './rounds.ts'
import { withShownUris } from './shown.ts'

/** Runs tools for callers that have gone: nobody answers what their servers ask for meanwhile. */
export function createLoneCalls({ catalog, tried }: Pick<Gateway, 'catalog' | 'tried'>): LoneCalls {
  return { now, run }

  async function now({ server, tool }: Pick<LoneCall, 'server' | 'tool'>) {
    await tried()
    return catalog.toolNow(server, tool)
  }

  async function run({ server, tool, fingerprint, ...call }: LoneCall, expiry?: AbortSignal): Promise<CallResult> {
    const found = catalog.toolAt(server, tool)
    if (!found) throw new ParleyError('mount_down', { server, problem: `it has no tool ${tool} now` })
    if (found.fingerprint !== fingerprint) throw new ParleyError('tool_changed', { tool: found.shown.name })
    const params = { name: tool, arguments: call.arguments }
    const round = await beginCall(found.mount, 'tools/call', params, NOBODY(), expiry)
    if ('result' in round) return withShownUris(server, round.result)
    round.drop()
    throw new ParleyError('mount_lost', { server, problem: 'it asked for something that nobody was there to answer' })
  }
}

const NOBODY = () => ({ client: {}, signal: new AbortController().signal, capabilities: {}, meta: {}, log() {} })
