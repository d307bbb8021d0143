import { VERSION } from '../../protocol/version.ts'
import { type Page, whereItIs } from './page.ts'

/*
 * What the servers of agents say about themselves. It loads next to nothing: the first answer is made of it, before there
 * is a server.
 */

/** The surfaces that are answered before there is a hub. */
export type AgentSurfaceName = 'bridge' | 'agent'

export const AGENT_SERVER = 'parley'

const INSTRUCTIONS = {
  bridge: 'Talk with the person you work for through send_message; it waits for their reply.',
  agent: `The person you work for sees this conversation in a browser and may be away for a while.
- send_message: say something and wait for the reply, whenever you are stuck, need a decision or are done.
- ask_user: the same with options to choose from, or several questions at once.
- send_progress: tell what you are doing without waiting, every few minutes of longer work.
- check_messages: between steps of longer work, see whether the person wrote something.
- set_title: name the conversation after its task, once you know it.
All three can show images. Files that the person attached come beside the result and as "attachments", with a path.
Whatever the person wrote meanwhile comes as earlier_messages with the next result; read it before you go on.`,
}

export function serverInfo(name: string) {
  return { name, title: 'Parley', version: VERSION }
}

export function instructionsOf(surface: AgentSurfaceName, page: (() => Page) | undefined): string {
  return INSTRUCTIONS[surface] + whereItIs(page)
}
