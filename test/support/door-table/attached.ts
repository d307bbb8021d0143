import { BEFORE_ALL } from '../../../src/protocol/entries/entry.ts'
import type { TableHub } from './actors.ts'

/** The hash of a file that a message of this conversation has. */
export async function attachedIn({ view, files }: TableHub, conversation: string): Promise<string> {
  const { hash } = await files.save([Buffer.from(`a file of ${conversation}`)])
  const { entries } = await view.page(conversation, { after: BEFORE_ALL, limit: 100 })
  if (entries.some(({ body }) => JSON.stringify(body).includes(hash))) return hash
  await view.say(conversation, { text: 'Look', attachments: [{ hash, name: 'a.txt', mime: 'text/plain' }] })
  return hash
}
