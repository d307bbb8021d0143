import { randomInt } from 'node:crypto'
import type { ParleyServer } from '../driver.ts'

/**
 * The name is as short as `gateway`: agents put it before the names of tools, which services of models cut at 64
 * characters.
 */
const LETTERS = 36 ** 4

/**
 * What an agent calls the server that is Parley. Where mounted tools are there, too, it is a name that nobody could know
 * before: a call under it goes to the hub, which asks the person itself, and no server of the agent's own settings or of
 * a folder has it.
 */
export function gatewayName({ gateway }: ParleyServer) {
  const name = gateway ? `hub${randomInt(LETTERS).toString(36).padStart(4, '0')}` : 'parley'
  return { name, isOurs, asHubHasIt }

  /**
   * The tool's own name counts, as the agent's program tells it. Titles are made of what a model wrote, and prove
   * nothing.
   */
  function isOurs(tool_name: string): boolean {
    return gateway === true && tool_name.startsWith(`mcp__${name}__`)
  }

  /** The name as the hub is told: it knows nothing of the name of this session. */
  function asHubHasIt(tool_name: string): string {
    return isOurs(tool_name) ? tool_name.replace(name, 'gateway') : tool_name
  }
}
