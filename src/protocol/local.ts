/** Whoever calls a hub without tokens; no token may be made for this name. */
export const LOCAL = 'local'

/** The id of an agent that needs no token. */
export const LOCAL_AGENT = `${LOCAL}:agent`
