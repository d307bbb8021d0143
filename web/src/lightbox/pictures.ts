import { getContext, setContext } from 'svelte'
import type { Attachment } from '../../../src/protocol/entries/attachment.ts'
import { isImage } from '../../../src/protocol/entries/files.ts'
import type { Timeline } from '../state/conversation/timeline.svelte.ts'
import type { Row } from '../state/rows/row.ts'

/** The pictures of a conversation, as far as the page holds it. */
export interface Pictures {
  all: Attachment[]
  /** There may be more of them on pages that are not loaded. */
  isPart: boolean
}

const PICTURES = 'pictures'

export function offerPictures(rows: () => Row[], window: Pick<Timeline, 'hasOlder' | 'hasNewer'>) {
  const pictures = (): Pictures => ({
    all: rows().flatMap((row) => (row.kind === 'bubble' ? (row.attachments ?? []) : []).filter(isImage)),
    isPart: window.hasOlder || window.hasNewer,
  })
  setContext(PICTURES, pictures)
}

/** Those that can be seen from here one after the other. */
export function picturesAround(): () => Pictures {
  return getContext<(() => Pictures) | undefined>(PICTURES) ?? (() => ({ all: [], isPart: false }))
}
