import type { Entry } from '../../protocol/entries/entry.ts'
import { wireFrame } from './wire.ts'

/** Makes what many clients are sent only once: the log hands all of them the same objects. */
export function once<Source extends object, Made>(make: (source: Source) => Made) {
  const made = new WeakMap<Source, Made>()
  return (source: Source): Made => {
    const known = made.get(source)
    if (known !== undefined) return known
    const fresh = make(source)
    made.set(source, fresh)
    return fresh
  }
}

/** The frame of each source, as it goes over the wire. */
export function serialiseOnce<Source extends object>(toFrame: (source: Source) => unknown) {
  return once((source: Source) => wireFrame(JSON.stringify(toFrame(source))))
}

/** Whether an agent waits for what people do with it: all else can leave after what agents are answered. */
export function asksPeople(entries: Entry[]): boolean {
  return entries.some(({ body }) => body.kind === 'question')
}
