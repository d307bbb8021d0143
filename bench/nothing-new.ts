import { inFlight } from './in-flight.ts'
import { serve } from './process.ts'
import { callTool } from './rest.ts'
import { interleave, type Line, median, written } from './statistics.ts'
import { textOf } from './texts.ts'
import type { Workplace } from './workplace.ts'

const SIZES = {
  full: { few: 200, many: 20_000, warmUp: 10, rounds: 50 },
  smallest: { few: 2, many: 4, warmUp: 0, rounds: 1 },
}
const IN_FLIGHT = 32

interface Inbox {
  last_id: string
  messages: unknown[]
}

/** A program that looks for messages again and again while an agent only tells what it does. */
export async function nothingNew({ size, env, emptyData }: Workplace): Promise<Line[]> {
  const { warmUp, rounds, ...steps } = SIZES[size]
  const few = await openReader(steps.few)
  const many = await openReader(steps.many)
  const fromMessage = { few: few.readFromMessage, many: many.readFromMessage }
  const goingOn = { few: few.goOn, many: many.goOn }
  await interleave(warmUp, fromMessage)
  const first = await interleave(rounds, fromMessage)
  const next = await interleave(rounds, goingOn)
  await Promise.all([few.stop(), many.stop()])
  const what = `chat_read_since with nothing new after ${written(steps.many)} steps`
  return [
    {
      measure: `${what}, from its own last_id; after ${written(steps.few)}`,
      unit: 'ms',
      baseline: median(next.few),
      parley: median(next.many),
      target: { atMostTimes: 1.5 },
    },
    {
      measure: `${what}, from the last message; after ${written(steps.few)}`,
      unit: 'ms',
      baseline: median(first.few),
      parley: median(first.many),
    },
    ...(many.moved() ? [] : [{ measure: what, failed: 'last_id does not move past what is no message' }]),
  ]

  async function openReader(count: number) {
    const hub = serve(emptyData(), env())
    const url = await hub.url
    const message = { mime: 'text/plain', content: 'Go on until you are done' }
    const { id } = await callTool<{ id: string }>(url, 'ui_chat_human_post', message)
    await inFlight(count, IN_FLIGHT, (n) =>
      callTool(url, 'ui_chat_assistant_event', { type: 'progress', text: textOf(n) }),
    )
    let last_id = id
    return { readFromMessage: () => read(id), goOn: () => read(last_id), moved: () => last_id > id, stop: hub.stop }

    async function read(after_id: string): Promise<number> {
      const started = performance.now()
      const inbox = await callTool<Inbox>(url, 'ui_chat_read_since', { after_id })
      const took = performance.now() - started
      if (inbox.messages.length > 0) throw new Error(`There were ${inbox.messages.length} messages instead of none`)
      last_id = inbox.last_id
      return took
    }
  }
}
