/** Why a door stays shut; part of the one table of errors. */
export const DOOR_ERRORS = {
  no_hub: {
    text: 'No hub of {data} runs, and who else is at its port would get the link; start one with parley open, or say where it is reached with --host and --port',
    http: 404,
    rpc: -32004,
  },
} as const
