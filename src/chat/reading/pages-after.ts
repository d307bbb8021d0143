import type { Views } from '../../log/views.ts'
import type { Entry } from '../../protocol/entries/entry.ts'

interface From {
  /** Without it, the entries of all conversations. */
  conversation?: string
  after: string
  /** Later entries need not be read. */
  to?: string
}

const PAGE = 256

/** The entries after one, page by page, as far as they are wanted; a thousand at once would take 70 ms. */
export async function* pagesAfter(
  views: Pick<Views, 'read'>,
  { conversation, after, to }: From,
): AsyncGenerator<Entry[]> {
  for (let last = after; to === undefined || last < to; ) {
    const page = (await views.read({ conversation, after: last, limit: PAGE })) as Entry[]
    if (page.length === 0) return
    yield page
    last = page.at(-1)?.id ?? last
  }
}
