import type { ParleyServer } from '../../agents/driver.ts'

interface ParleyServerParts {
  data: string
  conversation: string
  gateway: boolean
  /** What starts Parley. */
  program: string
}

/**
 * Parley itself, for an agent that speaks in this conversation only, with the mounted tools where it gets the gateway.
 * Never by a port: nobody knows who would answer there.
 */
export function parleyServer({ data, conversation, gateway, program }: ParleyServerParts): ParleyServer {
  return {
    ...(gateway && { gateway: true }),
    data,
    stdio: {
      command: process.execPath,
      args: [program, 'stdio', '--surface', gateway ? 'gateway' : 'agent', '--data', data],
      // Over the socket it is an agent, and needs nothing that shows more.
      env: { PARLEY_SESSION: conversation },
    },
  }
}
