import { ParleyError } from '../../../protocol/errors.ts'
import type { Caller, CallResult, LoneCall, LoneCalls } from '../../../protocol/tools/gateway.ts'
import { isFollowing, requestOf } from '../../../protocol/tools/mounted-requests.ts'
import type { Gateway } from '../gateway.ts'
import { withShownUris } from '../shown.ts'
import { beginCall } from './rounds.ts'

/** Runs tools for callers that have gone: nobody answers what their servers ask for meanwhile. */
export function createLoneCalls({
  catalog,
  tried,
  reachOf,
}: Pick<Gateway, 'catalog' | 'tried' | 'reachOf'>): LoneCalls {
  return { now, run }

  async function now({ server, tool, ...caller }: Pick<LoneCall, 'server' | 'tool'> & Caller) {
    await tried()
    return reachOf(caller).sees(server, tool) ? catalog.toolNow(server, tool) : undefined
  }

  async function run({ server, tool, fingerprint, ...call }: LoneCall, expiry?: AbortSignal): Promise<CallResult> {
    const found = catalog.toolAt(server, tool)
    if (!found) throw new ParleyError('mount_down', { server, problem: `it has no tool ${tool} now` })
    if (found.fingerprint !== fingerprint) throw new ParleyError('tool_changed', { tool: found.shown.name })
    // Nobody is there to follow it; whoever comes for the answer does then.
    if (isFollowing(tool, call.arguments)) return { uri: call.arguments.uri }
    const { method, params } = requestOf(tool, call.arguments)
    const round = await beginCall(found.mount, method, params, NOBODY(), expiry)
    if ('result' in round) return found.mount.hidden(withShownUris(server, round.result))
    round.drop()
    throw new ParleyError('mount_lost', { server, problem: 'it asked for something that nobody was there to answer' })
  }
}

const NOBODY = () => ({ client: {}, signal: new AbortController().signal, capabilities: {}, meta: {}, log() {} })
