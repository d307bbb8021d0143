import { AFTER_ALL } from '../protocol/entries/entry.ts'
import type { ListedConversation } from '../protocol/frames/listed-conversation.ts'
import type { Source } from './source.ts'

const PAGE = 100

/** All conversations, newest first. One that is spoken in meanwhile may move to where it was listed from. */
export async function* listedConversations(source: Pick<Source, 'conversations'>): AsyncGenerator<ListedConversation> {
  for (let before = AFTER_ALL; ; ) {
    const page = await source.conversations({ before, limit: PAGE })
    for (const { id, title, agent, folder, last_at, open, preview } of page)
      yield { session_id: id, title, agent, folder, at: last_at, open: open.length, preview }
    const oldest = page.at(-1)
    if (!oldest) return
    before = oldest.last
  }
}
