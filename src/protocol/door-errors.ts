/** Why a door stays shut; part of the one table in `errors.ts`. */
export const DOOR_ERRORS = {
  not_loopback: {
    text: 'Listening on {host} needs tokens, because others can reach it; make one with parley token create NAME --role human',
    http: 500,
    rpc: -32603,
  },
  folder_closed: {
    text: '{data} is closed by PARLEY_TOKENS, which are missing here: start parley serve with them, or make a token with parley token create NAME --role human; to open it to all your programs instead, delete {path}',
    http: 500,
    rpc: -32603,
  },
  other_user: {
    text: 'Without tokens this hub lets in only programs of its own user and of root, and this one is of {who}; make tokens with parley token create NAME --role human, and they decide, also behind a proxy',
    http: 403,
    rpc: -32003,
  },
  bound_to_one: {
    text: 'This is about all conversations, and {name} may see only one; use a token for all of them',
    http: 403,
    rpc: -32003,
  },
  no_hub: {
    text: 'No hub of {data} runs, and who else is at its port would get the link; start one with parley open, or say where it is reached with --host and --port',
    http: 404,
    rpc: -32004,
  },
} as const
