/** The caller's name at a hub without tokens; no token may be made for this name. */
export const LOCAL = 'local'

/** The id of an agent that needs no token. */
export const LOCAL_AGENT = `${LOCAL}:agent`

/** Whether nobody is known by this id: whoever comes without a token has it. */
export function isLocal(principal: string): boolean {
  return principal.startsWith(`${LOCAL}:`)
}
