import type { ParleyServer } from '../orchestrator/driver.ts'
import type { Config } from './config.ts'

/** Parley itself, for an agent that speaks in this conversation only. */
export function parleyServer(
  url: string,
  { data, ownToken }: Pick<Config, 'data' | 'ownToken'>,
  conversation: string,
): ParleyServer {
  return {
    stdio: {
      command: process.execPath,
      args: [process.argv[1] ?? '', 'stdio', '--surface', 'agent', '--data', data],
      // Over the socket it is an agent, and needs nothing that shows more.
      env: { PARLEY_SESSION: conversation },
    },
    ...(ownToken === undefined && { http: { url: `${url}/mcp/agent?session=${encodeURIComponent(conversation)}` } }),
  }
}
