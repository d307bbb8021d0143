import * as z from 'zod/mini'
import { storedBody } from '../../../../src/protocol/entries/stored.ts'
import { TimelineFrame } from '../../../../src/protocol/frames/timeline.ts'

/** A frame that has entries, whatever is in them. */
const Telling = z.looseObject({ entries: z.array(z.looseObject({ body: z.looseObject({}) })) })

/** A frame of the hub; undefined when this page is too old to understand it, and only a reload helps. */
export function understood(text: string): TimelineFrame | undefined {
  const said: unknown = JSON.parse(text)
  return TimelineFrame.safeParse(said).data ?? TimelineFrame.safeParse(withUnknown(said)).data
}

/** A newer hub may tell of kinds of entries that this page does not know; everything else can still be shown. */
function withUnknown(said: unknown): unknown {
  const { data } = Telling.safeParse(said)
  const entries = data?.entries.map((entry) => ({ ...entry, body: storedBody(JSON.stringify(entry.body)) }))
  return { ...data, entries }
}
