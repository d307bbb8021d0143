import { BEFORE_ALL } from '../protocol/entry.ts'
import type { InboxPage } from '../protocol/inbox.ts'
import type { Acts } from './acts.ts'
import { watermarksOf } from './memo-names.ts'

export type Watermarks = ReturnType<typeof createWatermarks>

interface WatermarksParts {
  memo: Acts['memo']
}

export interface Advance {
  subscriber: string
  conversation?: string
  /** The page after an id. */
  read(after: string): Promise<InboxPage>
  /** The same when the same call is made again. */
  key?: string
}

/** How far a subscriber is, and what its last step was. */
interface Watermark {
  last_id: string
  before: string
  key?: string
}

/** Keeps how far each subscriber has read, for those who do not keep it themselves. */
export function createWatermarks({ memo }: WatermarksParts) {
  const turns = new Map<string, Promise<unknown>>()
  return { readAndAdvance }

  /** One step after the other, so that each message comes once. */
  async function readAndAdvance(wanted: Advance): Promise<InboxPage> {
    const name = nameOf(wanted)
    const before = turns.get(name) ?? Promise.resolve()
    const step = before.then(
      () => advance(name, wanted),
      () => advance(name, wanted),
    )
    turns.set(name, step)
    try {
      return await step
    } finally {
      if (turns.get(name) === step) turns.delete(name)
    }
  }

  async function advance(name: string, { read, key }: Advance): Promise<InboxPage> {
    const mark = (await memo.get(name)) as Watermark | undefined
    // A call that is made again had no answer, so that its messages are still to come.
    const isRepeated = key !== undefined && mark?.key === key
    const before = (isRepeated ? mark?.before : mark?.last_id) ?? BEFORE_ALL
    const page = await read(before)
    const next: Watermark = { last_id: page.last_id, before, key }
    if (next.last_id !== mark?.last_id) await memo.put(name, next)
    return page
  }
}

function nameOf({ subscriber, conversation }: Pick<Advance, 'subscriber' | 'conversation'>): string {
  return `${watermarksOf(conversation)}${subscriber}`
}
