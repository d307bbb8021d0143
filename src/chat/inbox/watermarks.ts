import { changeNote, type Notes } from '../../log/notes.ts'
import { BEFORE_ALL } from '../../protocol/entries/entry.ts'
import type { InboxPage } from '../../protocol/frames/inbox.ts'
import { watermarksOf } from '../conversation/note-names.ts'

export type Watermarks = ReturnType<typeof createWatermarks>

interface WatermarksParts {
  notes: Pick<Notes, 'get' | 'put'>
}

export interface Advance {
  subscriber: string
  conversation?: string
  /** The page after an id, and up to another where that is said. */
  read(after: string, upTo?: string): Promise<InboxPage>
  /** The same when the same call is made again. */
  key?: string
}

/** How far a subscriber is, and its last steps that may be made again. */
interface Watermark {
  last_id: string
  /** Absent where an older Parley kept it, which knew of no more than one. */
  steps?: Step[]
}

interface Step {
  key: string
  before: string
  last_id: string
  has_more: boolean
}

/** More calls of one subscriber are hardly under way at once. */
const MOST_STEPS = 32

/** Keeps how far each subscriber has read, for those who do not keep it themselves. */
export function createWatermarks({ notes }: WatermarksParts) {
  return { readAndAdvance }

  /** Each message comes once: of two who read at once, at whatever hub, one reads on behind the other. */
  async function readAndAdvance(wanted: Advance): Promise<InboxPage> {
    let page: InboxPage | undefined
    await changeNote(notes, nameOf(wanted), async (value) => {
      const step = await advance((value ?? {}) as Partial<Watermark>, wanted)
      page = step.page
      return step.watermark
    })
    return page as InboxPage
  }

  async function advance(
    { last_id: before = BEFORE_ALL, steps = [] }: Partial<Watermark>,
    { read, key }: Advance,
  ): Promise<{ page: InboxPage; watermark?: Watermark }> {
    // A call that is made again had no answer: it gets the page that it would have got, and the others keep theirs.
    const done = steps.find((step) => step.key === key)
    if (done) {
      const page = await read(done.before, done.last_id)
      return { page: { ...page, last_id: done.last_id, has_more: done.has_more } }
    }
    const page = await read(before)
    if (page.last_id === before) return { page }
    const { last_id, has_more } = page
    const next = key === undefined ? steps : [...steps, { key, before, last_id, has_more }].slice(-MOST_STEPS)
    return { page, watermark: { last_id, steps: next } }
  }
}

function nameOf({ subscriber, conversation }: Pick<Advance, 'subscriber' | 'conversation'>): string {
  return `${watermarksOf(conversation)}${subscriber}`
}
