import type { ParleyServer } from '../orchestrator/driver.ts'

/** Parley itself, for an agent that speaks in this conversation only. Never by a port: nobody knows who would answer there. */
export function parleyServer(data: string, conversation: string): ParleyServer {
  return {
    stdio: {
      command: process.execPath,
      args: [process.argv[1] ?? '', 'stdio', '--surface', 'agent', '--data', data],
      // Over the socket it is an agent, and needs nothing that shows more.
      env: { PARLEY_SESSION: conversation },
    },
  }
}
